import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'

/**
 * Returns a key for one purpose. It is derived from the first signing key, so that operators keep one secret. Rotating the
 * signing key changes every derived key.
 * @throws Error when the first key is not a private Ed25519 key
 */
export function serviceKey(keySet: JSONWebKeySet, purpose: string): Buffer {
  const root = Buffer.from(keySet.keys[0]?.d ?? '', 'base64url')
  if (root.length < 32) throw new Error('the first key must be a private Ed25519 key')
  return Buffer.from(hkdfSync('sha256', root, '', `flightline ${purpose}`, 32))
}

/** Returns a keyed hash of a text, to compare texts without storing them: a request can contain a password. */
export type Fingerprint = (text: string) => string

/** Creates the fingerprint function. Without the service's key, nobody can test a guessed text against a fingerprint. */
export function createFingerprint(keySet: JSONWebKeySet): Fingerprint {
  const key = serviceKey(keySet, 'fingerprints')
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/** Authenticated encryption of texts that the service itself decrypts. */
export interface Sealing {
  /** Encrypts a text. `about` names the record that it belongs to, and must be the same to decrypt it. */
  seal(text: string, about: string): string
  /** Decrypts a text; null when its key is removed, `about` differs, or it was modified. */
  open(sealed: string, about: string): string | null
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Creates encryption for one purpose with AES-256-GCM. The first key of the set encrypts. Every key of the set decrypts: a
 * ciphertext contains the id of its key, so that keys can be rotated.
 */
export function createSealing(keySet: JSONWebKeySet, purpose: string): Sealing {
  const keys = new Map(
    keySet.keys.flatMap((jwk) => (jwk.d ? [[jwk.kid ?? '', serviceKey({ keys: [jwk] }, purpose)]] : [])),
  )
  const [[first, key]] = [...keys] as [[string, Buffer]]

  return {
    seal(text, about) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(about))
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${first}.${bytes.toString('base64url')}`
    },

    open(sealed, about) {
      const dot = sealed.lastIndexOf('.')
      const under = keys.get(sealed.slice(0, dot))
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
