import type { JSONWebKeySet } from 'jose'
import { createRecordKeys } from '../platform/adapters/tokens/record-keys.ts'
import { type Config, ConfigError, required } from '../platform/config/config.ts'
import type { RecordKeys } from '../platform/contracts/seal-kinds.ts'

/**
 * Returns the key set of a variable.
 * @throws ConfigError when it is missing or no JWK set; the message contains no part of the keys
 */
export function readKeySet(config: Config, name: 'AUTH_KEYS' | 'RECORD_KEYS'): JSONWebKeySet {
  const text = required(config, name)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && Array.isArray((parsed as JSONWebKeySet).keys)) {
      return parsed as JSONWebKeySet
    }
  } catch {
    // Reported below, since the parser's message would contain a part of the key.
  }
  throw new ConfigError(`${name}: is not a JWK set`)
}

/**
 * Returns the keys that seal what is signed.
 * @throws ConfigError when `RECORD_KEYS` is missing or has no such keys
 */
export function readRecordKeys(config: Config): RecordKeys {
  const keySet = readKeySet(config, 'RECORD_KEYS')
  try {
    return createRecordKeys(keySet)
  } catch (error) {
    throw new ConfigError(`RECORD_KEYS: ${(error as Error).message}`)
  }
}
