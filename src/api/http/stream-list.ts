import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

const HEAD = '{"data":['
const TAIL = ']}'

/**
 * Sends a list as it is read: the rows in hand, then the rest, each slice written by the schema of the answer. The next
 * slice is read when the client has taken the one before; a client that has gone ends the reading.
 */
export function streamList(reply: FastifyReply, first: unknown[], rest: AsyncIterable<unknown[]>): FastifyReply {
  const written = (rows: unknown[]) =>
    String(reply.serializeInput({ data: rows }, '200')).slice(HEAD.length, -TAIL.length)
  async function* pieces() {
    yield HEAD + written(first)
    for await (const rows of rest) if (rows.length > 0) yield `,${written(rows)}`
    yield TAIL
  }
  const stream = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 })
  return reply.type('application/json; charset=utf-8').send(stream)
}
