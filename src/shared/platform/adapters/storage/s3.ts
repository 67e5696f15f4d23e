import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { contentDisposition } from './file-types.ts'
import { whileOwned } from './owned-stream.ts'
import type { ObjectStorage } from './storage.port.ts'

export interface S3Options {
  bucket: string
  region: string
  /** The URL of another service than Amazon's, with path-style addresses. */
  endpoint?: string | undefined
  /** Undefined for the SDK's default chain (environment, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Another time limit of a request, in milliseconds. */
  timeoutMs?: number
}

/** The time limits of a request until its answer begins, and of one that sends a part or joins the parts. */
const TIMEOUT_MS = 5_000
const PART_TIMEOUT_MS = 60_000
/** How long a connection may be silent: longer than a part takes, since an object that is copied waits for its parts. */
const SILENCE_MS = 120_000

/** The size of a part of a large object: 10,000 of them are 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

/** Yields the bytes of a stream in parts; the last one is smaller. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks)
}

/** Creates object storage on S3. Clients upload and download directly, with URLs that this function signs. */
export function createS3Storage({
  bucket,
  region,
  endpoint,
  credentials,
  timeoutMs = TIMEOUT_MS,
}: S3Options): ObjectStorage {
  const client = new S3Client({
    region,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MS,
    },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  })
  async function sendInParts(key: string, content: Readable): Promise<void> {
    const object = { Bucket: bucket, Key: key }
    const slowly = { requestTimeout: PART_TIMEOUT_MS }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
    try {
      const Parts: { ETag: string | undefined; PartNumber: number }[] = []
      for await (const Body of partsOf(content)) {
        const PartNumber = Parts.length + 1
        const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }), slowly)
        Parts.push({ ETag, PartNumber })
      }
      const whole = { ...object, UploadId, MultipartUpload: { Parts } }
      await client.send(new CompleteMultipartUploadCommand(whole), slowly)
    } catch (error) {
      // When the store is away the upload stays open there; the reason is the first error.
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => {})
      throw error
    }
  }
  const secondsUntil = (instant: Date) => Math.max(1, Math.floor((instant.getTime() - Date.now()) / 1000))
  return {
    own: null,
    presignUpload: ({ key, contentType, maxBytes, expiresAt }) =>
      createPresignedPost(client, {
        Bucket: bucket,
        Key: key,
        Fields: { 'Content-Type': contentType },
        Conditions: [
          ['eq', '$Content-Type', contentType],
          ['content-length-range', 1, maxBytes],
        ],
        Expires: secondsUntil(expiresAt),
      }),
    presignRead: ({ key, fileName, expiresAt }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentDisposition: contentDisposition(fileName) }),
        { expiresIn: secondsUntil(expiresAt) },
      ),
    async sizeOf(key) {
      const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })))
      return found && (found.ContentLength ?? 0)
    },
    write: (key, content) => whileOwned(content, () => sendInParts(key, content)),
    async read(key) {
      const found = await unlessMissing(client.send(new GetObjectCommand({ Bucket: bucket, Key: key })))
      return (found?.Body as Readable | undefined) ?? null
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async removeAll(organizationId) {
      for (;;) {
        const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${organizationId}/` }))
        for (const { Key } of listed.Contents ?? []) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
        if (!listed.IsTruncated) return
      }
    },
  }
}

/** Returns the answer; null when there is no such object. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
    throw error
  }
}
