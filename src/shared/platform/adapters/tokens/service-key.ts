import { createHmac, hkdfSync } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'

/**
 * Derives a key for one purpose from the first signing key, so that there is one secret to keep. Rotating that key
 * changes every derived one.
 */
export function serviceKey(keySet: JSONWebKeySet, purpose: string): Buffer {
  const root = Buffer.from(keySet.keys[0]?.d ?? '', 'base64url')
  if (root.length < 32) throw new Error('the first key must be a private Ed25519 key')
  return Buffer.from(hkdfSync('sha256', root, '', `flightline ${purpose}`, 32))
}

/** Returns a keyed hash of a text, to compare texts without storing them: a request can contain a password. */
export type Fingerprint = (text: string) => string

/** Creates fingerprints against which nobody can test guesses without the service's key. */
export function createFingerprint(keySet: JSONWebKeySet): Fingerprint {
  const key = serviceKey(keySet, 'fingerprints')
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}
