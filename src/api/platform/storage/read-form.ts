import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { Invalid } from '../../../shared/platform/kernel/errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { assertIsPlain, tooSlow } from '../../http/read-body.ts'

/** How long a form may take to arrive, in milliseconds. */
const FORM_MS = 120_000

/** The most bytes of a form besides its file. */
export const FORM_BYTES = 64 * 1024
/**
 * The bytes that the parser gets in one piece before the file. A form that is refused costs the parsing of one piece
 * only.
 */
const SLICE_BYTES = 1_024

/** The fields are the policy and its signature. The file comes last. */
const limits = {
  fields: 10,
  fieldSize: 4_096,
  fieldNameSize: 100,
  files: 1,
  parts: 11,
  headerPairs: 20,
  headerSize: 8_192,
}

/**
 * Reads an upload form as a stream, and passes the file on with the fields before it. The rest of the form, after the
 * file or after an error, is read and discarded; otherwise the client would not receive the response.
 * @throws the errors of `take`.
 */
export function readUploadForm(
  request: IncomingMessage,
  take: (fields: Record<string, string>, file: Readable) => Promise<void>,
  { ms = FORM_MS } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = openParser(request)
    const fields = new Map<string, string>()
    let arriving: Readable | undefined
    const slices = inSlices(
      () => arriving !== undefined,
      () => fail(broken()),
    )
    const leave = () => {
      clearTimeout(timer)
      slices.unpipe(parser)
      request.unpipe(slices)
      request.resume()
    }
    const fail = (error: Error) => {
      leave()
      arriving?.destroy(error)
      reject(error)
    }
    const timer = setTimeout(() => fail(tooSlow()), ms)
    parser.on('field', (name, value) => fields.set(name, value))
    parser.on('file', (name, file) => {
      if (name !== 'file') return fail(platformErrors.severalFiles())
      arriving = file
      // A refused file can be destroyed before it has a listener.
      file.on('error', () => {})
      take(Object.fromEntries(fields), file).then(() => {
        leave()
        resolve()
      }, fail)
    })
    parser.on('finish', () => {
      if (!arriving) fail(platformErrors.fileMissing())
    })
    for (const tooMany of ['fieldsLimit', 'filesLimit', 'partsLimit']) parser.on(tooMany, () => fail(broken()))
    parser.on('error', () => fail(broken()))
    request.on('error', () => fail(broken()))
    request.on('close', () => {
      if (!request.complete) fail(broken())
    })
    request.pipe(slices).pipe(parser)
  })
}

/**
 * Returns a stream that passes on the bytes before the file in slices of `SLICE_BYTES`. The parser needs a millisecond
 * for a hundred small parts, so it must be possible to stop it in the middle of a chunk. Calls `tooLong` when the file
 * has not begun after `FORM_BYTES`.
 */
function inSlices(hasFile: () => boolean, tooLong: () => void): Transform {
  let before = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (; from < chunk.length && !hasFile() && before <= FORM_BYTES; from += SLICE_BYTES) {
        const slice = chunk.subarray(from, from + SLICE_BYTES)
        before += slice.length
        this.push(slice)
      }
      if (!hasFile() && before > FORM_BYTES) tooLong()
      else if (from < chunk.length) this.push(chunk.subarray(from))
      done()
    },
  })
}

function openParser(request: IncomingMessage) {
  assertIsPlain(request.headers)
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits })
  } catch {
    throw broken()
  }
}

function broken(): Invalid {
  return platformErrors.formUnreadable()
}
