import { userInfo } from 'node:os'
import { openDatabase } from '../shared/composition/entities.ts'
import { type Config, ConfigError, readConfig, required } from '../shared/platform/config/config.ts'
import type { Database } from '../shared/platform/db/database.ts'
import { inTransaction, type Tx } from '../shared/platform/db/transaction.ts'
import { systemClock } from '../shared/platform/kernel/clock.ts'

/** Reads the settings of a command. */
export function readSettings(): Config {
  return readConfig(process.env, { HOST: '0.0.0.0', DATABASE_POOL_SIZE: 2 })
}

/** Works with the service's database, as the service signs in, and closes it. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    url: required(config, 'DATABASE_URL'),
    poolSize: config.DATABASE_POOL_SIZE,
    prepare: config.DATABASE_PREPARE === 'on',
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Runs a use case in one transaction. Its jobs stay in the outbox, from where the workers take them. */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { result } = await inTransaction(database, systemClock, work, { address: null, requestId: 'command-line' })
  return result
}

/** The operator at the command line. */
export function operator(): { osUser: string } {
  return { osUser: process.env.SUDO_USER || userInfo().username }
}

/**
 * Returns the key set of `AUTH_KEYS`.
 * @throws ConfigError when it is none; the message has no part of it.
 */
export function keySetOf(config: Config) {
  try {
    return JSON.parse(required(config, 'AUTH_KEYS'))
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError('AUTH_KEYS: is not a JWK set')
  }
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints rows in columns that are as wide as their widest cell. */
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
