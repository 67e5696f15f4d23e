import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an export. It is opened only when the archive reaches it. */
export interface ArchiveFile {
  path: string
  kind: string
  /** Opens the file; null when its content is missing. */
  open(): Promise<AsyncIterable<ArchiveChunk> | null>
}

/** Bytes of a file, and how many records these bytes contain. */
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

/** A file that the manifest lists as missing: a record references it, but the storage does not have it. */
export type MissingFile = Pick<ArchiveFile, 'path' | 'kind'>

/** The files that an archive contains, and the files that are missing from it. */
export interface Contents {
  files: ListedFile[]
  missing: MissingFile[]
}

/**
 * Returns a ZIP archive as a stream: the files one after another, then `manifest.json`. `manifest` returns its content
 * from the lists of written and missing files. When a file fails, the stream ends with its error. Only a few chunks are
 * in memory at a time, whatever the size of the archive.
 */
export function writeArchive(files: readonly ArchiveFile[], manifest: (contents: Contents) => object): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Without a listener, an error would crash the process when the reader of the archive is already gone.
  output.on('error', () => {})
  zip.on('error', (error: Error) => output.destroy(error))
  writeAll(zip, files, manifest).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  )
  return output
}

async function writeAll(zip: ZipFile, files: readonly ArchiveFile[], manifest: (contents: Contents) => object) {
  const contents: Contents = { files: [], missing: [] }
  for (const file of files) {
    const { path, kind } = file
    const chunks = await file.open()
    if (chunks) await writeEntry(zip, path, contentOf(file, chunks, contents.files))
    else contents.missing.push({ path, kind })
  }
  await writeEntry(zip, 'manifest.json', [Buffer.from(`${JSON.stringify(manifest(contents), null, 2)}\n`)])
}

/**
 * Writes a file into the archive, and resolves at its end. Rejects when the file fails or the archive stream is closed.
 */
function writeEntry(zip: ZipFile, path: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const output = zip.outputStream as Readable
  const content = Readable.from(bytes, { objectMode: false })
  const stop = () => content.destroy(output.errored ?? new Error('the archive is not read any more'))
  const written = new Promise<void>((resolve, reject) => {
    content.once('end', resolve).once('error', reject)
  })
  if (output.destroyed) stop()
  else {
    output.once('close', stop)
    zip.addReadStream(content, path)
  }
  return written.finally(() => output.off('close', stop))
}

async function* contentOf(
  { path, kind }: ArchiveFile,
  chunks: AsyncIterable<ArchiveChunk>,
  listed: ListedFile[],
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let count = 0
  for await (const { bytes, records } of chunks) {
    hash.update(bytes)
    count += records
    yield bytes
  }
  listed.push({ path, kind, count, sha256: hash.digest('hex') })
}
