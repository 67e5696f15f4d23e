import { join } from 'node:path'
import type { JSONWebKeySet } from 'jose'
import { type Config, ConfigError } from '../../config/config.ts'
import { serviceKey } from '../tokens/sealing.ts'
import { createLocalStorage } from './local-storage.ts'
import type { ObjectStorage } from './storage.port.ts'

/**
 * Returns S3 object storage when a bucket is configured, otherwise storage in `DATA_DIR`.
 * @throws ConfigError when only one of the two S3 credentials is set
 */
export async function openStorage(config: Config, keySet: JSONWebKeySet): Promise<ObjectStorage> {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = config
  if (!bucket) {
    const directory = join(config.DATA_DIR, 'uploads')
    return createLocalStorage({ directory, publicUrl: config.PUBLIC_URL, secret: serviceKey(keySet, 'uploads') })
  }
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (!accessKeyId !== !secretAccessKey) {
    throw new ConfigError(`${accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'} is not set`)
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  // The SDK is large, so it is loaded only when a bucket is configured.
  const { createS3Storage } = await import('./s3.ts')
  return createS3Storage({ bucket, region, endpoint, credentials })
}
