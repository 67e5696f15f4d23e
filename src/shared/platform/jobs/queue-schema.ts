import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import pg from 'pg'
import { type Print, untilTablesAreFree } from '../db/migration-lock.ts'
import { queueNames } from './define-job.ts'

/** Where the queues in PostgreSQL live: tables and functions that BullMQ brings. */
export const QUEUE_SCHEMA = 'bullmq'

/** Brings the queues' schema up to date, and takes no lock when it is. */
export async function migrateQueues(client: pg.Client, print: Print): Promise<void> {
  if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) {
    await untilTablesAreFree('the schema of the queues', print, () => runMigrations(client, QUEUE_SCHEMA))
  }
  for (const name of await missingSequences(client)) {
    await client.query(`create sequence if not exists ${QUEUE_SCHEMA}.${pg.escapeIdentifier(name)}`)
  }
}

/**
 * Checks that the queues' schema is there and not older than this release needs.
 * @throws Error when it has to be migrated first, or was made by a release whose queues this one does not understand.
 */
export async function checkQueueSchema(client: pg.ClientBase): Promise<void> {
  const version = await versionOf(client)
  if (version < LATEST_SCHEMA_VERSION) {
    throw new Error(
      `the schema of the queues is at version ${version}, not ${LATEST_SCHEMA_VERSION}: run the migrations`,
    )
  }
  if ((await missingSequences(client)).length > 0) {
    throw new Error('the schema of the queues does not know all queues of this release: run the migrations')
  }
}

/**
 * Returns whether the queues' schema is missing or older than this release needs.
 * @throws Error when it was made by a release whose queues this one does not understand
 */
export async function isQueueSchemaPending(client: pg.ClientBase): Promise<boolean> {
  return (await versionOf(client)) < LATEST_SCHEMA_VERSION || (await missingSequences(client)).length > 0
}

async function versionOf(client: pg.ClientBase): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA)
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0
    throw error
  }
}

/**
 * The sequences from which queues number jobs that come without an id, as far as they are missing. BullMQ makes a
 * queue's when the first such job is added, and when the first batch is, whether or not its jobs have ids; the service's
 * role may not make any, so the owner does beforehand.
 */
async function missingSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) queue, ${QUEUE_SCHEMA}.job_id_seq_name(queue) name
      where to_regclass(format('%I.%I', $2::text, name)) is null`,
    [queueNames, QUEUE_SCHEMA],
  )
  return rows.map(({ name }) => name)
}
