import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an export. Its chunks are produced when the archive has come to it. */
export interface ArchiveFile {
  path: string
  kind: string
  chunks(): AsyncIterable<ArchiveChunk>
}

/** Bytes of a file, and how many records they hold. */
export interface ArchiveChunk {
  bytes: Buffer
  records: number
}

/** A file as the manifest lists it. */
export interface ListedFile {
  path: string
  kind: string
  count: number
  /** SHA-256, hexadecimal. */
  sha256: string
}

/**
 * Returns a ZIP archive as a stream: the files one after another, and last `manifest.json`, which `manifest` makes of what was
 * written. A file that fails ends the stream with its error. Memory holds a few chunks, whatever the size.
 */
export function writeArchive(files: readonly ArchiveFile[], manifest: (listed: ListedFile[]) => object): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const listed: ListedFile[] = []
  const add = (path: string, content: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(path, (ready) => ready(null, Readable.from(content(), { objectMode: false })))
  for (const file of files) add(file.path, () => contentOf(file, listed))
  add('manifest.json', async function* () {
    yield Buffer.from(`${JSON.stringify(manifest(listed), null, 2)}\n`)
  })
  zip.end()
  return output
}

async function* contentOf({ path, kind, chunks }: ArchiveFile, listed: ListedFile[]): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let count = 0
  for await (const { bytes, records } of chunks()) {
    hash.update(bytes)
    count += records
    yield bytes
  }
  listed.push({ path, kind, count, sha256: hash.digest('hex') })
}
