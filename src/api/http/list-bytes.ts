import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ListedRows } from './answers.ts'

const HEAD = '{"data":['

/** The rows whose views and text are in memory at once: few enough for the garbage collector to find them dead. */
const SLICE = 50

/**
 * Returns a list as it is sent, with the fields `beside` its rows. Views and text are made by slice, with the schema of
 * the answer, and only bytes are kept: a page of a thousand bookings takes a quarter less processor time than with all
 * views first. A list of one slice is its text. A list with a `rest` is a stream. Its next rows are read when the client
 * has received those before; a client that disconnects ends the reading.
 */
export function listBytes<Row>(
  reply: FastifyReply,
  list: ListedRows<Row>,
  beside: unknown,
): string | Buffer | Readable {
  const { rows, view, rest } = list
  const written = (data: unknown[]) => String(reply.serializeInput({ ...(beside as object | undefined), data }, '200'))
  if (!rest && rows.length <= SLICE) return written(rows.map((row) => view(row)))
  const tail = written([]).slice(HEAD.length)
  function* pieces(of: Row[]) {
    for (let at = 0; at < of.length; at += SLICE) {
      const text = written(of.slice(at, at + SLICE).map((row) => view(row)))
      yield Buffer.from((at === 0 ? '' : ',') + text.slice(HEAD.length, -tail.length))
    }
  }
  const first = [Buffer.from(HEAD), ...pieces(rows)]
  const end = Buffer.from(tail)
  if (!rest) return Buffer.concat([...first, end])
  async function* parts(slices: AsyncIterable<Row[]>) {
    yield Buffer.concat(first)
    for await (const slice of slices) if (slice.length > 0) yield Buffer.concat([Buffer.from(','), ...pieces(slice)])
    yield end
  }
  return Readable.from(parts(rest), { objectMode: false, highWaterMark: 1 })
}
