import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { BegunConnection } from '../oauth/oauth.port.ts'
import { createSealing, type Sealing, serviceKey } from './sealing.ts'

/** Protects connections to other services: signed states, and encryption of their tokens. */
export interface ConnectionSecrets extends Sealing {
  /** Generates a signed state, with its lookup hash and its PKCE secret. */
  draw(): BegunConnection & { stateHash: string }
  /** Returns the lookup hash of a returned state; null when the signature is not ours. */
  hashOf(state: string): string | null
  /** Generates a secret for a browser, with its hash. */
  drawBrowser(): { secret: string; hash: string }
  /** Returns the hash of a browser's secret. */
  hashOfBrowser(secret: string): string
}

/** Encrypts tokens as `createSealing` does. States live for minutes and are signed with the first key. */
export function createConnectionSecrets(keySet: JSONWebKeySet): ConnectionSecrets {
  const signing = serviceKey(keySet, 'connection state')
  const sign = (random: string) => createHmac('sha256', signing).update(random).digest('base64url')

  return {
    ...createSealing(keySet, 'connected accounts'),

    draw() {
      const random = randomBytes(24).toString('base64url')
      const state = `${random}.${sign(random)}`
      return { state, stateHash: hash(state), codeVerifier: randomBytes(32).toString('base64url') }
    },

    hashOf(state) {
      const [random = '', signature = ''] = state.split('.')
      const [expected, given] = [Buffer.from(sign(random)), Buffer.from(signature)]
      const genuine = expected.length === given.length && timingSafeEqual(expected, given)
      return genuine && state === `${random}.${signature}` ? hash(state) : null
    },

    drawBrowser() {
      const secret = randomBytes(32).toString('base64url')
      return { secret, hash: hash(secret) }
    },

    hashOfBrowser: hash,
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
