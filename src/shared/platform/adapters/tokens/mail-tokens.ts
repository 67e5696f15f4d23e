import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { serviceKey } from './sealing.ts'

/**
 * The tokens of mailed links. The database has only their hashes. The mail job has only ids in its payload and may run twice,
 * but must send the same link each time. So a token is an HMAC of the row's random seed, with a key of the service.
 */
export interface MailTokens {
  /** Returns a new seed and its token's hash, for a new row. */
  draw(): { seed: string; tokenHash: string }
  /** Returns the token of a row, for its mail. */
  tokenOf(seed: string): string
  /** Returns the lookup hash of a received token. */
  hashOf(token: string): string
}

/** Creates tokens from the first signing key. Rotating that key invalidates mailed links. */
export function createMailTokens(keySet: JSONWebKeySet): MailTokens {
  const key = serviceKey(keySet, 'mail tokens')
  const tokenOf = (seed: string) => createHmac('sha256', key).update(seed).digest('base64url')
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  return {
    draw() {
      const seed = randomBytes(18).toString('base64url')
      return { seed, tokenHash: hashOf(tokenOf(seed)) }
    },
    tokenOf,
    hashOf,
  }
}
