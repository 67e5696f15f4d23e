import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { contentDisposition } from './file-types.ts'
import type { ObjectStorage } from './storage.port.ts'

export interface S3Options {
  bucket: string
  region: string
  /** The URL of another service than Amazon's, with path-style addresses. */
  endpoint?: string | undefined
  /** Undefined for the SDK's default chain (environment, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** The time limit of a request. */
const TIMEOUT_MS = 5_000

/** Creates object storage on S3. Clients upload and download directly, with URLs that this function signs. */
export function createS3Storage({ bucket, region, endpoint, credentials }: S3Options): ObjectStorage {
  const client = new S3Client({
    region,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  })
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
      try {
        const { ContentLength = 0 } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
        return ContentLength
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
        throw error
      }
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
