import { createHmac, hkdfSync } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'

/**
 * A key of the service for one purpose, derived from the first signing key, so that there is one secret to keep.
 * Rotating that key changes every derived one.
 */
export function serviceKey(keySet: JSONWebKeySet, purpose: string): Buffer {
  const root = Buffer.from(keySet.keys[0]?.d ?? '', 'base64url')
  if (root.length < 32) throw new Error('the first key must be a private Ed25519 key')
  return Buffer.from(hkdfSync('sha256', root, '', `flightline ${purpose}`, 32))
}

/** Recognizes a text without keeping it: the fingerprint of a request may stand for a password that is in it. */
export type Fingerprint = (text: string) => string

/** Makes fingerprints that nobody can test guesses against without the service's key. */
export function createFingerprint(keySet: JSONWebKeySet): Fingerprint {
  const key = serviceKey(keySet, 'fingerprints')
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}
