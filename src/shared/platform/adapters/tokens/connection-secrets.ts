import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { BegunConnection } from '../oauth/oauth.port.ts'
import { serviceKey } from './service-key.ts'

/** Protects connections to other services: signed states, and encryption of their tokens. */
export interface ConnectionSecrets {
  /** Generates a signed state, with its lookup hash and its PKCE secret. */
  draw(): BegunConnection & { stateHash: string }
  /** Returns the lookup hash of a returned state; null when the signature is not ours. */
  hashOf(state: string): string | null
  /** Generates a secret for a browser, with its hash. */
  drawBrowser(): { secret: string; hash: string }
  /** Returns the hash of a browser's secret. */
  hashOfBrowser(secret: string): string
  /** Encrypts a secret. `about` names its owner and must be the same to decrypt it. */
  seal(secret: string, about: string): string
  /** Decrypts a secret; null when its key is removed, `about` differs, or it was modified. */
  open(sealed: string, about: string): string | null
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM under the first key of the set and decrypts with any of them: a ciphertext names its key,
 * so keys can rotate. States live for minutes and are signed with the first key.
 */
export function createConnectionSecrets(keySet: JSONWebKeySet): ConnectionSecrets {
  const signing = serviceKey(keySet, 'connection state')
  const sealing = new Map(
    keySet.keys.flatMap((jwk) => (jwk.d ? [[jwk.kid ?? '', serviceKey({ keys: [jwk] }, 'connected accounts')]] : [])),
  )
  const [[first, key]] = [...sealing] as [[string, Buffer]]
  const sign = (random: string) => createHmac('sha256', signing).update(random).digest('base64url')

  return {
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

    seal(secret, about) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about))
      const bytes = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${first}.${bytes.toString('base64url')}`
    },

    open(sealed, about) {
      const dot = sealed.lastIndexOf('.')
      const under = sealing.get(sealed.slice(0, dot))
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url')
      if (!under || bytes.length < IV_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv(CIPHER, under, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(about))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
