import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq'
import pg from 'pg'
import { queueNames } from '../contracts/define-job.ts'
import { type Print, untilTablesAreFree } from '../db/migration-lock.ts'

/** The PostgreSQL schema of the queues, with the tables and functions of BullMQ. */
export const QUEUE_SCHEMA = 'bullmq'

/** Migrates the queues' schema. Locks no table when the schema is up to date. */
export async function migrateQueues(client: pg.Client, print: Print): Promise<void> {
  if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) {
    await untilTablesAreFree('the schema of the queues', print, () => runMigrations(client, QUEUE_SCHEMA))
  }
  for (const name of await missingSequences(client)) {
    await client.query(`create sequence if not exists ${QUEUE_SCHEMA}.${pg.escapeIdentifier(name)}`)
  }
}

/**
 * Ensures that the queues' schema exists and is not older than this release needs.
 * @throws Error when the schema is not migrated, or when a newer release made it and this release does not support it
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
 * @throws Error when a newer release made the schema and this release does not support it
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
 * Returns the names of missing sequences. The sequence of a queue numbers the jobs that are added without an id. BullMQ
 * creates it with the first such job or with the first batch, even when the jobs of the batch have ids. The service's
 * role may not create sequences, so the owner creates them beforehand.
 */
async function missingSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) queue, ${QUEUE_SCHEMA}.job_id_seq_name(queue) name
      where to_regclass(format('%I.%I', $2::text, name)) is null`,
    [queueNames, QUEUE_SCHEMA],
  )
  return rows.map(({ name }) => name)
}
