import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import type pg from 'pg'
import { type Tell, untilTablesAreFree } from '../db/migration-lock.ts'

/** Where the queues in PostgreSQL live: tables and functions that BullMQ brings. */
export const QUEUE_SCHEMA = 'bullmq'

/** Brings the queues' schema up to date, and takes no lock when it is. */
export async function migrateQueues(client: pg.Client, tell: Tell): Promise<void> {
  if ((await versionOf(client)) >= LATEST_SCHEMA_VERSION) return
  await untilTablesAreFree('the schema of the queues', tell, () => runMigrations(client, QUEUE_SCHEMA))
}

/**
 * Checks that the queues' schema is there and not older than this release needs.
 * @throws Error when it has to be migrated first, or was made by a release whose queues this one does not understand.
 */
export async function checkQueueSchema(client: pg.ClientBase): Promise<void> {
  const version = await versionOf(client)
  if (version >= LATEST_SCHEMA_VERSION) return
  throw new Error(`the schema of the queues is at version ${version}, not ${LATEST_SCHEMA_VERSION}: run the migrations`)
}

async function versionOf(client: pg.ClientBase): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA)
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0
    throw error
  }
}
