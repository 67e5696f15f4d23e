import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE, withDatabase } from './global-setup.ts'

/** A database of its own for a test file, cloned from the template. */
export async function cloneDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const base = inject('postgresUrl')
  const name = `flightline_${randomBytes(6).toString('hex')}`
  await run(base, `create database ${name} template ${TEMPLATE}`)
  return { url: withDatabase(base, name), drop: () => run(base, `drop database if exists ${name} with (force)`) }
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
