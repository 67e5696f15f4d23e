import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { pendingMigrations } from '../platform/db/run-migrations.ts'
import { singleClient } from '../platform/db/single-client.ts'
import { whenAccepted } from '../platform/db/when-accepted.ts'
import { isQueueSchemaPending } from '../platform/jobs/queue-schema.ts'

const LOOK_EVERY_MS = 1_000
const CONNECTION_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 5_000

/** The work that `flightline migrate` still has to do. */
export interface PendingSchema {
  /** Migrations of this release that are not applied, in their order. */
  migrations: string[]
  /** Whether the queues' schema in PostgreSQL is missing or older than this release needs. */
  queues: boolean
}

/**
 * Returns what is still to migrate. As long as the service's role has no rights, that is everything, because they are
 * granted last.
 * @throws Error when a newer release made the queues' schema and this release does not support it
 */
export async function pendingSchema(client: pg.ClientBase): Promise<PendingSchema> {
  const migrations = await pendingMigrations(client)
  return { migrations, queues: migrations.length > 0 || (await isQueueSchemaPending(client)) }
}

/** Returns whether nothing is left to migrate. */
export function isMigrated({ migrations, queues }: PendingSchema): boolean {
  return migrations.length === 0 && !queues
}

/**
 * Waits without a limit until the schema is migrated to this release; checks every second. When it must wait, it calls
 * `waiting` once with a line for the log.
 * @throws Error of PostgreSQL when the database cannot be reached, does not exist or refuses the sign-in
 */
export async function waitForSchema(
  databaseUrl: string,
  waiting: (line: string) => void | Promise<void>,
): Promise<void> {
  for (let looked = 0; ; looked++) {
    const pending = await look(databaseUrl)
    if (isMigrated(pending)) return
    const { length } = pending.migrations
    const line = `the schema is not that of this release (${length} migrations pending): waiting for flightline migrate`
    if (looked === 0) await waiting(line)
    await pause(LOOK_EVERY_MS)
  }
}

async function look(databaseUrl: string): Promise<PendingSchema> {
  const client = await whenAccepted(() => connect(databaseUrl), { onError: () => undefined })
  try {
    return await pendingSchema(client)
  } finally {
    await client.end()
  }
}

/** Opens one connection outside of the pools, with short time limits. */
async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = singleClient({
    connectionString: databaseUrl,
    application_name: 'flightline',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  await client.connect()
  return client
}
