import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Config } from '../../src/shared/platform/config/config.ts'
import { asRole, CLONE, roles, TEMPLATE, withDatabase } from './global-setup.ts'

/**
 * A database of its own for a test file, cloned from the template, as the service signs in to it. It stays until the run
 * ends: dropping one makes PostgreSQL write out all the others first.
 */
export async function cloneDatabase(): Promise<string> {
  return copyDatabase(TEMPLATE)
}

/** A copy of a database as it is now, as a backup restored elsewhere; nobody may be connected to it. */
export async function copyDatabase(template: string): Promise<string> {
  return asRole(await createDatabase(`template ${template} strategy file_copy`), 'service')
}

/** A database with nothing in it, for its owner. */
export async function emptyDatabase(): Promise<string> {
  return asRole(await createDatabase(''), 'owner')
}

/** Runs a statement that the service has no right to, as the owner of the tables. */
export function asOwner<Row extends pg.QueryResultRow>(
  { config }: { config: Pick<Config, 'DATABASE_URL'> },
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  return run<Row>(asRole(config.DATABASE_URL ?? '', 'owner'), text, values)
}

/** The address of an API's database for the server's superuser. */
export function asSuperuser({ config }: { config: Pick<Config, 'DATABASE_URL'> }): string {
  return withDatabase(inject('postgresUrl'), new URL(config.DATABASE_URL ?? '').pathname.slice(1))
}

async function createDatabase(options: string): Promise<string> {
  const base = inject('postgresUrl')
  const name = `${CLONE}${randomBytes(6).toString('hex')}`
  await run(base, `create database ${name} owner ${roles.owner} ${options}`)
  return withDatabase(base, name)
}

async function run<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
