import type { Readable } from 'node:stream'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import type { PacketDocumentRow } from '../../../shared/training/readiness/packet-documents.queries.ts'
import { flattenFiles } from '../../pdf/append-files.ts'

/** The documents at the end of a packet: the titles of those that are appended and of those that failed, and the pages. */
export interface Appended {
  titles: string[]
  failed: string[]
  pages: Uint8Array[]
}

/** The most bytes of one document, and of all together. */
const MOST_BYTES = 10_000_000
const MOST_BYTES_TOGETHER = 30_000_000

/**
 * Reads the documents of a packet and flattens them to pages. A file that is gone, too large, of another kind than PDF, JPEG or PNG, or that
 * cannot be read has failed.
 */
export async function openAppendices(
  storage: ObjectStorage,
  documents: readonly PacketDocumentRow[],
): Promise<Appended> {
  let left = MOST_BYTES_TOGETHER
  const files: { title: string; contentType: string; bytes: Buffer | null }[] = []
  for (const { title, content_type: contentType, storage_key: key } of documents) {
    const content = await storage.read(key)
    const bytes = content && (await bytesOf(content, Math.min(MOST_BYTES, left)))
    left -= bytes?.length ?? 0
    files.push({ title, contentType, bytes })
  }
  const readable = files.flatMap(({ contentType, bytes }) => (bytes ? [{ contentType, bytes }] : []))
  const flat = await flattenFiles(readable)
  const outcomes = files.map(({ title, bytes }) => ({ title, pages: bytes ? (flat.shift() ?? null) : null }))
  return {
    titles: outcomes.flatMap(({ title, pages }) => (pages ? [title] : [])),
    failed: outcomes.flatMap(({ title, pages }) => (pages ? [] : [title])),
    pages: outcomes.flatMap(({ pages }) => pages ?? []),
  }
}

/** Returns the bytes of a stream; null when there are more than allowed. */
async function bytesOf(content: Readable, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) {
      content.destroy()
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
