import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { serviceKey } from './service-key.ts'

/** Authenticated encryption of texts that this service reads back. */
export interface Sealing {
  /** Encrypts a text. `about` names what it belongs to and must be the same to decrypt it. */
  seal(text: string, about: string): string
  /** Decrypts a text; null when its key is removed, `about` differs, or it was modified. */
  open(sealed: string, about: string): string | null
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts for one purpose with AES-256-GCM under the first key of the set and decrypts with any of them: a ciphertext
 * names its key, so keys can rotate.
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
