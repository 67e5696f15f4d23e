import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AppError } from '../../shared/platform/kernel/errors.ts'
import { httpErrors } from './http.errors.ts'

/** The largest body, in bytes. */
export const BODY_LIMIT = 1024 * 1024
/** The largest JSON body of a caller without a token, in bytes. */
export const OPEN_BODY_LIMIT = 64 * 1024

/** How long a body may take to arrive, in milliseconds. */
export const BODY_MS = 30_000

/** The limits of one body. */
interface BodyLimits {
  /** How long it may take to arrive, in milliseconds. */
  ms: number
  /** The most bytes of the body. */
  most: number
  /** Returns the error for a body with more bytes. */
  tooLarge(): AppError
}

/**
 * Reads a body while it arrives: at most 1 MiB or `most` bytes, within 30 seconds or `ms`, without a Content-Encoding.
 * Implements interface §Limits (bodies).
 * @throws AppError 415 when the body is encoded.
 * @throws AppError 413, or the error of `tooLarge`, when the body is too large.
 * @throws AppError 408 when the body does not arrive in time.
 * @throws Invalid when the client aborts the request.
 */
export async function readBody(payload: IncomingMessage, limits: Partial<BodyLimits> = {}): Promise<Buffer> {
  const { ms = BODY_MS, most = BODY_LIMIT, tooLarge = () => larger(most) } = limits
  assertIsPlain(payload.headers)
  if (Number(payload.headers['content-length']) > most) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => finish(tooSlow()), ms)
    const onData = (chunk: Buffer | string) => {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > most) finish(tooLarge())
      else chunks.push(bytes)
    }
    const onEnd = () => finish()
    const onBroken = () => finish(httpErrors.brokenOff())
    const finish = (error?: Error) => {
      clearTimeout(timer)
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      if (error) reject(error)
      else resolve(Buffer.concat(chunks, size))
    }
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken).resume()
  })
}

/**
 * Refuses a compressed body, because the service never decompresses untrusted input.
 * @throws AppError 415 when the body is encoded.
 */
export function assertIsPlain(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  if (encoding.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked') {
    throw httpErrors.bodyEncoded()
  }
}

/** Returns the 408 error. The client can repeat the request. */
export function tooSlow(): AppError {
  return httpErrors.bodyLate()
}

function larger(bytes: number): AppError {
  return httpErrors.bodyTooLarge({ size: bytes < BODY_LIMIT ? `${bytes / 1024} KiB` : '1 MiB' })
}
