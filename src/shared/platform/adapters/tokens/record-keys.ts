import { createHmac } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { RecordKeys } from '../../contracts/seal-kinds.ts'
import { serviceKey } from './sealing.ts'

/**
 * Creates the keys that seal what is signed, from a JWK set of Ed25519 keys (`RECORD_KEYS`). The first one seals. Keep the others: without
 * its key, a seal cannot be verified.
 * @throws Error when the first key is not a private Ed25519 key with a `kid`
 */
export function createRecordKeys(keySet: JSONWebKeySet): RecordKeys {
  const keys = new Map(keySet.keys.flatMap((jwk) => (jwk.d && jwk.kid ? [[jwk.kid, keyFor(jwk)] as const] : [])))
  const keyId = keySet.keys[0]?.kid
  if (!keyId || !keys.has(keyId)) throw new Error('the first key must be a private Ed25519 key with a kid')
  return {
    keyId,
    authenticate(message, id = keyId) {
      const key = keys.get(id)
      return key ? createHmac('sha256', key).update(message).digest() : null
    },
  }
}

function keyFor(jwk: JSONWebKeySet['keys'][number]): Buffer {
  return serviceKey({ keys: [jwk] }, 'record seals')
}
