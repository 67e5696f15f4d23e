import { userInfo } from 'node:os'
import type pg from 'pg'
import { readRecordKeys } from '../shared/composition/key-sets.ts'
import { openDatabase } from '../shared/composition/tables.ts'
import { type Config, readConfig, required } from '../shared/platform/config/config.ts'
import { settingsOfRunning } from '../shared/platform/config/running-file.ts'
import type { Database } from '../shared/platform/db/database.ts'
import { singleClient } from '../shared/platform/db/single-client.ts'
import { inTransaction, type Tx } from '../shared/platform/db/transaction.ts'
import { systemClock } from '../shared/platform/kernel/clock.ts'

/**
 * Returns the settings of a command from the environment. Without `DATABASE_URL`, the settings of the all-in-one
 * process that runs on `DATA_DIR` are added.
 */
export function readSettings(): Config {
  const defaults = { HOST: '0.0.0.0', DATABASE_POOL_SIZE: 2 }
  const config = readConfig(process.env, defaults)
  if (config.DATABASE_URL) return config
  return readConfig({ ...settingsOfRunning(config.DATA_DIR), ...process.env }, defaults)
}

/** Connects to the database as the service's role, runs work, and disconnects. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    url: required(config, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
    prepare: config.DATABASE_PREPARE === 'on',
    ...(config.RECORD_KEYS !== undefined && { recordKeys: readRecordKeys(config) }),
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Runs work on one connection as the owner of the tables, without time limits, and closes the connection. */
export async function withOwner<T>(config: Config, name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = singleClient({
    connectionString: config.MIGRATION_DATABASE_URL ?? required(config, 'DATABASE_URL'),
    application_name: name,
  })
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a use case in one transaction. Its jobs stay in the outbox until a worker publishes them. */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { result } = await inTransaction(database, systemClock, work, { address: null, requestId: 'command-line' })
  return result
}

/** Returns the operator: the user of the operating system who runs the command; with `sudo`, the user who called it. */
export function operator(): { osUser: string } {
  return { osUser: process.env.SUDO_USER || userInfo().username }
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints rows as columns, each as wide as its widest cell. */
export function sayTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? []
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
