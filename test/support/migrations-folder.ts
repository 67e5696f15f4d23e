import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { withoutTimeLimits } from '../../src/shared/platform/db/migration-lock.ts'
import { runMigrations } from '../../src/shared/platform/db/run-migrations.ts'

/** A migration of a test: its statements, and whether they run in one transaction. */
export interface TestMigration {
  transactional: boolean
  statements: string[]
}

/** Runs one migration on a database as `npm run migrate` does. Returns the lines that it printed while it waited. */
export async function runOne(url: string, { transactional, statements }: TestMigration): Promise<string[]> {
  const name = 'Migration20990101000000_test'
  const source = `export class ${name} {
    up() {}
    isTransactional() { return ${transactional} }
    getQueries() { return ${JSON.stringify(statements)} }
  }`
  return inFolder(async (folder) => {
    await writeFile(join(folder, `${name}.ts`), source)
    return runFolder(url, folder)
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'flightline-migrations-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function runFolder(url: string, folder: string): Promise<string[]> {
  const said: string[] = []
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await withoutTimeLimits(client)
    await runMigrations(client, (line) => said.push(line), folder)
    return said
  } finally {
    await client.end()
  }
}
