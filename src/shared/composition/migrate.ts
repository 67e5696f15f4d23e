import { lockMigrations, type Print, withoutTimeLimits } from '../platform/db/migration-lock.ts'
import { runMigrations } from '../platform/db/run-migrations.ts'
import { grantService } from '../platform/db/service-role.ts'
import { singleClient } from '../platform/db/single-client.ts'
import { migrateQueues, QUEUE_SCHEMA } from '../platform/jobs/queue-schema.ts'
import { tables } from './tables.ts'

export interface MigrateOptions {
  /** The database URL of the owner of the tables. */
  ownerUrl: string
  /** The database URL of the service's role. */
  serviceUrl: string
  /** Reports, in one line, what the migration waits for. */
  print: Print
  /** Called after each applied migration. */
  applied?: (name: string) => void
}

/**
 * Migrates the schemas of the service and its queues, and grants the service's role its rights, on one connection
 * without time limits. Concurrent calls run one after another.
 */
export async function migrate({ ownerUrl, serviceUrl, print, applied }: MigrateOptions): Promise<void> {
  const client = singleClient({ connectionString: ownerUrl, application_name: 'flightline-migrate', keepAlive: true })
  await client.connect()
  try {
    await withoutTimeLimits(client)
    await lockMigrations(client, print)
    await runMigrations(client, print, undefined, applied)
    await migrateQueues(client, print)
    await grantService(client, serviceUrl, { schemas: ['public', QUEUE_SCHEMA], tables }, print)
  } finally {
    await client.end()
  }
}
