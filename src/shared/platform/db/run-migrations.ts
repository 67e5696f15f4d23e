import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration } from '@mikro-orm/migrations'
import type pg from 'pg'
import { ConfigError } from '../config/config.ts'
import { type Print, untilTablesAreFree, waitingForTables } from './migration-lock.ts'

export const migrationsFolder = join(import.meta.dirname, '../../../../migrations')

/**
 * Applies the pending migrations of a folder, in the order of their names. A migration is one transaction, which is
 * retried while its tables are in use. A migration with `isTransactional = false` runs statement by statement, for
 * indexes on tables in use (`create index concurrently if not exists`). It can be interrupted and run again, so each
 * statement must be safe to repeat.
 * @throws ConfigError for a database from before the first release
 */
export async function runMigrations(
  client: pg.Client,
  print: Print,
  folder = migrationsFolder,
  applied: (name: string) => void = () => undefined,
): Promise<void> {
  await makeMigrationTable(client)
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const done = new Set(rows.map(({ name }) => name))
  if (isBeforeFirstRelease([...done])) {
    throw new ConfigError(
      'the database is from before the first release and cannot be migrated: use an empty one, or delete DATA_DIR',
    )
  }
  const names = (await readdir(folder))
    .filter((file) => /^Migration.*\.ts$/.test(file))
    .map((file) => file.slice(0, -3))
  for (const name of names.sort()) {
    if (done.has(name)) continue
    const migration = await load(join(folder, `${name}.ts`), name)
    await migration.up()
    const statements = migration.getQueries().map(String)
    if (migration.isTransactional())
      await untilTablesAreFree(name, print, () => inOneTransaction(client, name, statements))
    else await oneByOne(client, name, statements, print)
    applied(name)
  }
}

/**
 * Creates the table of applied migrations. It has the layout of the ORM's migrator, so that databases which that
 * migrator migrated can be migrated further.
 */
export async function makeMigrationTable(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create table if not exists migration (
      id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))`)
}

const known = readdirSync(migrationsFolder).flatMap((file) => /^(Migration\d+.*)\.ts$/.exec(file)?.[1] ?? [])

/** The migrations of this release, in the order in which they run. */
export const migrationNames: readonly string[] = known.toSorted()

/** Returns whether one of the applied migrations is older than the first migration of this release. */
export function isBeforeFirstRelease(applied: readonly string[]): boolean {
  return applied.some((name) => name < migrationNames[0]!)
}

/** SQLSTATEs of a table that does not exist, and of a table on which the role has no rights yet. */
const notYet = new Set(['42P01', '42501'])

/**
 * Returns the migrations of this release that are not applied, in their order; all of them for an empty database.
 * Migrations of a later release may be applied too.
 */
export async function pendingMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration').catch((error: Error) => {
    if (notYet.has((error as { code?: string }).code ?? '')) return { rows: [] }
    throw error
  })
  const applied = new Set(rows.map(({ name }) => name.replace(/\.[jt]s$/, '')))
  return migrationNames.filter((name) => !applied.has(name))
}

/** The class of a migration. It only lists statements, so it is created without driver and configuration. */
type MigrationClass = new (driver: never, config: never) => Migration

async function load(file: string, name: string): Promise<Migration> {
  const exported: Record<string, MigrationClass> = await import(pathToFileURL(file).href)
  const Class = exported[name]
  if (!Class) throw new Error(`${file} exports no class ${name}`)
  return new Class(undefined as never, undefined as never)
}

const note = 'insert into migration (name) values ($1)'

async function inOneTransaction(client: pg.Client, name: string, statements: string[]): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of statements) await client.query(statement)
    await client.query(note, [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function oneByOne(client: pg.Client, name: string, statements: string[], print: Print): Promise<void> {
  for (const statement of statements) {
    const [, index] = /^\s*create (?:unique )?index concurrently if not exists (\w+)/.exec(statement) ?? []
    if (index) await dropUnfinished(client, index)
    const run = () => client.query(statement)
    if (/\bindex concurrently\b/.test(statement)) await waitingForTables(client, run)
    else await untilTablesAreFree(name, print, run)
  }
  await client.query(note, [name])
}

/** Drops an invalid index that an interrupted build left, because `if not exists` would then skip its creation. */
async function dropUnfinished(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where not indisvalid and indexrelid = to_regclass($1)',
    [index],
  )
  if (rowCount) await client.query(`drop index concurrently ${index}`)
}
