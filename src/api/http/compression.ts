import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers do not become shorter. */
const THRESHOLD = 1024

/** Of 1.9 MB of bookings it makes 126 kB in 3 ms; level 6, the default, makes 100 kB in 8 ms. */
const GZIP_LEVEL = 3

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
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}
