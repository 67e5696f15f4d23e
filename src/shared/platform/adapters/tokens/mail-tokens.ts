import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { serviceKey } from './service-key.ts'

/**
 * Tokens that travel in mails. Only a hash is stored, and yet the mail job, which carries ids alone and may run twice,
 * sends the same link each time: a token is an HMAC of the row's random seed under a key of the service.
 */
export interface MailTokens {
  /** What a new row stores. */
  draw(): { seed: string; tokenHash: string }
  /** The token of a row, for its mail. */
  tokenOf(seed: string): string
  /** What to look a received token up by. */
  hashOf(token: string): string
}

/** Makes the tokens from the first signing key. Rotating it ends the links that are under way. */
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
