import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers gain nothing, in bytes. */
const THRESHOLD = 1024

/**
 * Compresses answers over 1 kB as the client accepts. An answer that is declared secret never is: its length would tell
 * of the secret beside what the caller chose. Bodies of requests are never decompressed, see `read-body.ts`.
 */
export async function installCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    const { secret } = (route.config?.endpoint ?? {}) as { secret?: boolean }
    if (secret) route.compress = false
  })
  await app.register(compress, {
    globalDecompression: false,
    threshold: THRESHOLD,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}
