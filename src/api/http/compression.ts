import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers do not become shorter. */
const THRESHOLD = 1024

/**
 * Compresses answers over 1 kB with an encoding that the client accepts. Answers that are declared secret are not
 * compressed: the length of a compressed answer discloses parts of a secret when the caller chooses other parts of the
 * answer. Bodies of requests are never decompressed, see `read-body.ts`.
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
