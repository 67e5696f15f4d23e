import { readdirSync } from 'node:fs'
import type pg from 'pg'
import { migrationsFolder } from './run-migrations.ts'

/** What this release was written for, by name. */
const known = readdirSync(migrationsFolder).flatMap((file) => /^(Migration\d+.*)\.ts$/.exec(file)?.[1] ?? [])

/** Whether every migration of this release has been applied; those of a later release may have been as well. */
export async function isSchemaCurrent(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>('select name from migration')
  const applied = new Set(rows.map(({ name }) => name.replace(/\.[jt]s$/, '')))
  return known.every((name) => applied.has(name))
}
