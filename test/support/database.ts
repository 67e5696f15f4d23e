import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Config } from '../../src/shared/platform/config/config.ts'
import { asRole, CLONE, roles, TEMPLATE, withDatabase } from './global-setup.ts'

/**
 * Creates a database for one test file, cloned from the template, and returns the service's connection string. It is
 * kept until the run ends, because dropping one makes PostgreSQL write all the others to disk first.
 */
export async function cloneDatabase(): Promise<string> {
  return copyDatabase(TEMPLATE)
}

/** Copies a database in its current state, like a backup that is restored elsewhere. Nobody may be connected to it. */
export async function copyDatabase(template: string): Promise<string> {
  return asRole(await createDatabase(`template ${template} strategy file_copy`), 'service')
}

/** Creates an empty database and returns its owner's connection string. */
export async function emptyDatabase(): Promise<string> {
  return asRole(await createDatabase(''), 'owner')
}

/** Runs a statement as the owner of the tables, since the service has no right to run it. */
export function asOwner<Row extends pg.QueryResultRow>(
  { config }: { config: Pick<Config, 'DATABASE_URL'> },
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  return run<Row>(asRole(config.DATABASE_URL ?? '', 'owner'), text, values)
}

/** Returns the superuser's connection string of an API's database. */
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
