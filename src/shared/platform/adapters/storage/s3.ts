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
  /** The URL of an S3-compatible service other than Amazon's, which is called with path-style addresses. */
  endpoint?: string | undefined
  /** Undefined for the SDK's default chain (environment, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
  /** The time limit of a request in milliseconds, in place of the default. */
  timeoutMs?: number
}

/** Milliseconds until the response begins; the second limit is for requests that send a part or complete an upload. */
const TIMEOUT_MS = 5_000
const PART_TIMEOUT_MS = 60_000
/**
 * The most milliseconds without data on a connection. It is longer than the time limit of a part: while an object is copied,
 * the connection that reads it waits until each part is sent.
 */
const SILENCE_MS = 120_000

/** The size of a part of a multipart upload: 8 MiB, so that the 10,000 parts that S3 allows are about 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

/** Yields the bytes of a stream in parts of at least `PART_BYTES`; only the last part can be smaller. */
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
      // When S3 is not available, this call fails too and the upload stays open there. The first error is thrown.
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

/** Returns the response; null when the object does not exist. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
    throw error
  }
}
