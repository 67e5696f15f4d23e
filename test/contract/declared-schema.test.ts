import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeSchema } from '../../local/schema/describe-schema.ts'
import { describeTables } from '../../local/schema/describe-tables.ts'
import { tablesByContext } from '../../src/shared/composition/tables.ts'
import { makeMigrationTable, migrationsFolder, runMigrations } from '../../src/shared/platform/db/run-migrations.ts'
import { cloneDatabase, emptyDatabase } from '../support/database.ts'

const declared = readFileSync(join(migrationsFolder, 'schema.txt'), 'utf8')

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('all migrations together make the declared schema (`npm run schema` declares a new one)', async () => {
  expect(await onDatabase(await cloneDatabase(), describeSchema)).toBe(declared)
})

test('the page of tables says what the declarations say (`npm run schema` writes it)', () => {
  const page = readFileSync(join(migrationsFolder, '../docs/tables.md'), 'utf8')
  expect(page).toBe(describeTables(tablesByContext))
})

test('a database from before the first release is refused in one line that says what to do', async () => {
  const url = await emptyDatabase()
  await onDatabase(url, async (client) => {
    await makeMigrationTable(client)
    await client.query("insert into migration (name) values ('Migration20261101000001_foundations')")
    await expect(runMigrations(client, () => undefined)).rejects.toThrow(
      /^the database is from before the first release and cannot be migrated: use an empty one, or delete DATA_DIR$/,
    )
  })
})
