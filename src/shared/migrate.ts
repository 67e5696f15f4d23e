import pg from 'pg'
import { lockMigrations, type Tell, withoutTimeLimits } from './db/migration-lock.ts'
import { runMigrations } from './db/run-migrations.ts'
import { migrateQueues } from './jobs/queue-schema.ts'

export interface MigrateOptions {
  /** The database as the owner of its tables. */
  ownerUrl: string
  /** Told in one line what it waits for. */
  tell: Tell
}

/**
 * Brings the schema of the service and that of its queues up to date, on one connection of its own that no time limit
 * ends. Several may start at once: each waits until those before it are done.
 */
export async function migrate({ ownerUrl, tell }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'flightline-migrate', keepAlive: true })
  // A connection that breaks fails the statement under way, which says so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await withoutTimeLimits(client)
    await lockMigrations(client, tell)
    await runMigrations(client, tell)
    await migrateQueues(client, tell)
  } finally {
    await client.end()
  }
}
