import pg from 'pg'
import { lockMigrations, type Tell, withoutTimeLimits } from '../platform/db/migration-lock.ts'
import { runMigrations } from '../platform/db/run-migrations.ts'
import { grantService } from '../platform/db/service-role.ts'
import { migrateQueues, QUEUE_SCHEMA } from '../platform/jobs/queue-schema.ts'

export interface MigrateOptions {
  /** The database as the owner of its tables. */
  ownerUrl: string
  /** The database as the service signs in to it. */
  serviceUrl: string
  /** Told in one line what it waits for. */
  tell: Tell
}

/**
 * Brings the schema of the service and that of its queues up to date, and gives the service's role its rights on them,
 * on one connection of its own that no time limit ends. Several may start at once: each waits until those before it are done.
 */
export async function migrate({ ownerUrl, serviceUrl, tell }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'flightline-migrate', keepAlive: true })
  // A connection that breaks fails the statement under way, which says so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await withoutTimeLimits(client)
    await lockMigrations(client, tell)
    await runMigrations(client, tell)
    await migrateQueues(client, tell)
    await grantService(client, serviceUrl, ['public', QUEUE_SCHEMA], tell)
  } finally {
    await client.end()
  }
}
