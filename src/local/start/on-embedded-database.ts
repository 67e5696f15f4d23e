import type { Config } from '../../shared/platform/config/config.ts'
import { loadOrCreateDevSecrets } from './dev-secrets.ts'
import { openDatabaseServer } from './own-database.ts'
import { ShutdownSequence } from './shutdown-sequence.ts'

/**
 * Works with the embedded database of `DATA_DIR` while no all-in-one runs there, and shuts it down. Both are made when they
 * are missing; new secrets take the keys of `AUTH_KEYS`, so that a later start goes on with them.
 * @throws DataDirInUse when another process uses the directory.
 */
export async function onEmbeddedDatabase(given: Config, work: (config: Config) => Promise<void>): Promise<void> {
  const parts = new ShutdownSequence()
  try {
    const { url, ownerUrl } = await openDatabaseServer(given, { durable: true }, parts)
    const { authKeys } = await loadOrCreateDevSecrets(given.DATA_DIR, given.AUTH_KEYS)
    const AUTH_KEYS = given.AUTH_KEYS ?? authKeys
    await work({ ...given, DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl, AUTH_KEYS })
  } finally {
    await parts.stop()
  }
}
