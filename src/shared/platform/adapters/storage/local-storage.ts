import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { platformErrors } from '../../platform.errors.ts'
import { contentTypeOf, looksLike, SNIFFED_BYTES, storageKey } from './file-types.ts'
import { whileOwned } from './owned-stream.ts'
import { assertIsSignedRead, readUpload, signRead, signUpload } from './signed-links.ts'
import type { ObjectStorage, OwnStore, UploadPolicy } from './storage.port.ts'

/** The service's storage directory, and the base URL of its signed uploads and links. */
export interface LocalStorageOptions {
  directory: string
  publicUrl: string
  secret: Buffer
}

/**
 * Creates object storage in a directory of this machine. Its functions throw the errors of `OwnStore`, and these:
 * @throws NotFound when a key has another format than the service's
 * @throws Unavailable from `write` when the disk is full
 */
export function createLocalStorage({ directory, publicUrl, secret }: LocalStorageOptions): ObjectStorage {
  const pathOf = (key: string) => join(directory, checked(key))
  // Partial objects are outside the folders of the organizations, so that a partial object is never read as a complete one.
  const halves = join(directory, 'arriving')
  async function store(
    key: string,
    chunks: AsyncIterable<Buffer> | Readable,
    claim?: (bytes: number) => Promise<void>,
  ) {
    const target = pathOf(key)
    const arriving = join(halves, randomUUID())
    try {
      await mkdir(halves, { recursive: true })
      // The file is opened before the pipeline: a stream that is aborted while it opens its file would create it
      // after the removal below.
      const file = await open(arriving, 'wx')
      const written = file.createWriteStream({ flush: true })
      await pipeline(chunks, written)
      await mkdir(dirname(target), { recursive: true })
      await claim?.(written.bytesWritten)
      await rename(arriving, target)
    } catch (error) {
      await rm(arriving, { force: true })
      throw isFull(error) ? platformErrors.storageFull() : error
    }
  }
  const own: OwnStore = {
    admit: (fields, now) => readUpload(secret, fields, now),
    receive: (policy, content, claim) => store(policy.key, guarded(content, policy), claim),
    async open(link, now) {
      assertIsSignedRead(secret, link, now)
      // The file is opened first: a stream that opens it itself could fail before the response handles its errors.
      const file = await unlessMissing(open(pathOf(link.key)), null)
      if (file === null) throw platformErrors.noSuchRecord()
      const { size } = await file.stat()
      const contentType = contentTypeOf(link.key) ?? 'application/octet-stream'
      return { content: file.createReadStream(), size, contentType, fileName: link.fileName }
    },
    async dropHalves(before) {
      let dropped = 0
      for (const name of await unlessMissing(readdir(halves), [])) {
        const half = join(halves, name)
        const touched = await unlessMissing(stat(half), null)
        if (touched === null || touched.mtime >= before) continue
        await rm(half, { force: true })
        dropped += 1
      }
      return dropped
    },
  }
  return {
    own,
    presignUpload: async (policy) => ({ url: `${publicUrl}/uploads`, fields: signUpload(secret, policy) }),
    presignRead: async ({ key, fileName, expiresAt }) =>
      `${publicUrl}/uploads/${checked(key)}?${signRead(secret, key, fileName, expiresAt)}`,
    sizeOf: async (key) => sizeOf(pathOf(key)),
    write: (key, content) => whileOwned(content, () => store(key, content)),
    read: async (key) => (await unlessMissing(open(pathOf(key)), null))?.createReadStream() ?? null,
    remove: async (key) => rm(pathOf(key), { force: true }),
    removeAll: (organizationId) => rm(join(directory, String(organizationId)), { recursive: true, force: true }),
  }
}

/** Yields the chunks. Throws when the size exceeds the limit, or the first bytes do not match the type. */
async function* guarded(chunks: AsyncIterable<Buffer> | Readable, policy: UploadPolicy): AsyncGenerator<Buffer> {
  let size = 0
  let start: Buffer = Buffer.alloc(0)
  const sniff = () => {
    if (!looksLike(policy.contentType, start)) throw platformErrors.fileOfOtherType({ contentType: policy.contentType })
  }
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    const before = start.length
    if (before < SNIFFED_BYTES) {
      start = Buffer.concat([start, chunk.subarray(0, SNIFFED_BYTES - before)])
      if (start.length === SNIFFED_BYTES) sniff()
    }
    size += chunk.length
    if (size > policy.maxBytes) throw platformErrors.fileLargerThanArranged({ maxBytes: policy.maxBytes })
    yield chunk
  }
  if (start.length < SNIFFED_BYTES) sniff()
}

function checked(key: string): string {
  if (!storageKey.test(key)) throw platformErrors.noSuchRecord()
  return key
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await unlessMissing(stat(path), null)
  return found?.size ?? null
}

async function unlessMissing<T, U>(asked: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await asked
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
