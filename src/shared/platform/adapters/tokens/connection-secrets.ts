import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { BegunConnection } from '../oauth/oauth.port.ts'
import { createSealing, type Sealing, serviceKey } from './sealing.ts'

/** Protects connections to other services: signs the states of authorizations, and encrypts tokens. */
export interface ConnectionSecrets extends Sealing {
  /** Returns a new signed state, with its lookup hash and its PKCE secret. */
  draw(): BegunConnection & { stateHash: string }
  /** Returns the lookup hash of a returned state; null when the service did not sign it. */
  hashOf(state: string): string | null
  /** Returns a new secret for a browser, with its hash. */
  drawBrowser(): { secret: string; hash: string }
  /** Returns the hash of a browser's secret. */
  hashOfBrowser(secret: string): string
}

/**
 * Creates the protection of connections. It encrypts tokens like `createSealing`. States are valid for minutes, so only the
 * first key signs and verifies them.
 */
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
