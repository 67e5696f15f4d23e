import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The encodings that an import can declare. UTF-16 requires a byte order mark. */
export const encodings = ['utf-8', 'utf-16', 'windows-1252'] as const

export type Encoding = (typeof encodings)[number]

/** The most bytes of a file, in MiB. */
const MOST_MEBIBYTES = 25

type Bytes = AsyncIterable<Uint8Array>

/**
 * Yields the text of a file: UTF-8, or UTF-16 with a byte order mark. When the import declares windows-1252, the file
 * is opened twice, and it is read as windows-1252 only if it is not valid Unicode.
 * @throws OperationStopped NOT_UTF8 for another encoding, FILE_TOO_LARGE for more than 25 MiB
 */
export async function* readText(open: () => Bytes, said: Encoding | null): AsyncGenerator<string> {
  const western = said === 'windows-1252' && !(await isUnicode(open()))
  const marked = withMark(limited(open()))
  const first = await marked.next()
  if (first.done) return
  const label = western ? 'windows-1252' : encodingOf(first.value)
  const decoder = new TextDecoder(label, { fatal: true })
  try {
    yield decoder.decode(first.value, { stream: true })
    for await (const bytes of marked) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OperationStopped('NOT_UTF8', portabilityErrors.notUtf8())
  }
}

async function isUnicode(bytes: Bytes): Promise<boolean> {
  try {
    let decoder: InstanceType<typeof TextDecoder> | undefined
    for await (const chunk of withMark(limited(bytes))) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
      decoder.decode(chunk, { stream: true })
    }
    decoder?.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/**
 * Yields the bytes of a file. The first chunk has at least three bytes, unless the file is shorter, so that it contains
 * the whole byte order mark.
 */
async function* withMark(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === null) yield chunk
    else {
      start = Buffer.concat([start, chunk])
      if (start.length < 3) continue
      yield start
      start = null
    }
  }
  if (start && start.length > 0) yield start
}

async function* limited(bytes: Bytes): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MOST_MEBIBYTES * 1024 * 1024) {
      throw new OperationStopped('FILE_TOO_LARGE', portabilityErrors.fileTooLarge({ mebibytes: MOST_MEBIBYTES }))
    }
    yield chunk
  }
}
