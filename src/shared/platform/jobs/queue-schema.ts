import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import pg from 'pg'
import { type Tell, untilTablesAreFree } from '../db/migration-lock.ts'
import { queueNames } from './define-job.ts'

/** Where the queues in PostgreSQL live: tables and functions that BullMQ brings. */
export const QUEUE_SCHEMA = 'bullmq'

/**
 * Brings the queues' schema up to date, and takes no lock when it is. Each queue gets the sequence that BullMQ would make
 * when many jobs are added to it at once: the service itself may create nothing.
 */
export async function migrateQueues(client: pg.Client, tell: Tell): Promise<void> {
  if ((await versionOf(client)) < LATEST_SCHEMA_VERSION)
    await untilTablesAreFree('the schema of the queues', tell, () => runMigrations(client, QUEUE_SCHEMA))
  const { rows: missing } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as queue, ${QUEUE_SCHEMA}.job_id_seq_name(queue) as name
      where to_regclass(format('%I.%I', $2::text, name)) is null`,
    [queueNames, QUEUE_SCHEMA],
  )
  for (const { name } of missing) {
    await client.query(`create sequence if not exists ${QUEUE_SCHEMA}.${pg.escapeIdentifier(name)}`)
  }
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
