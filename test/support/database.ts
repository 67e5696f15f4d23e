import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { CLONE, TEMPLATE, withDatabase } from './global-setup.ts'

/**
 * A database of its own for a test file, cloned from the template. It stays until the run ends: dropping one makes
 * PostgreSQL write out all the others first.
 */
export async function cloneDatabase(): Promise<string> {
  return copyDatabase(TEMPLATE)
}

/** A copy of a database as it is now, as a backup restored elsewhere; nobody may be connected to it. */
export async function copyDatabase(template: string): Promise<string> {
  const base = inject('postgresUrl')
  const name = `${CLONE}${randomBytes(6).toString('hex')}`
  await run(base, `create database ${name} template ${template} strategy file_copy`)
  return withDatabase(base, name)
}

/** A database with nothing in it, for its owner. */
export async function emptyDatabase(): Promise<string> {
  const base = inject('postgresUrl')
  const name = `${CLONE}${randomBytes(6).toString('hex')}`
  await run(base, `create database ${name}`)
  return withDatabase(base, name)
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
