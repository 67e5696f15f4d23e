import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** The least bytes of a compressed answer. Smaller answers do not become shorter. */
const THRESHOLD = 1024

/**
 * The gzip level. Measured with 1.9 MB of bookings: level 3 takes 3 ms for 126 kB; level 6, the default, 8 ms for 100
 * kB.
 */
const GZIP_LEVEL = 3

/**
 * Compresses answers over 1 kB with an encoding that the client accepts. Secret answers are not compressed: when a
 * caller can choose a part of an answer, the compressed length discloses other parts of it. Bodies of requests are
 * never decompressed (`read-body.ts`).
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
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}
