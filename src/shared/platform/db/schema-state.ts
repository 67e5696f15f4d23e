import { readdirSync } from 'node:fs'
import type pg from 'pg'
import { migrationsFolder } from './run-migrations.ts'

/** The migrations of this release, by name. */
const known = readdirSync(migrationsFolder).flatMap((file) => /^(Migration\d+.*)\.ts$/.exec(file)?.[1] ?? [])

/** Returns whether every migration of this release is applied. Those of a later release may be too. */
export async function isSchemaCurrent(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>('select name from migration')
  const applied = new Set(rows.map(({ name }) => name.replace(/\.[jt]s$/, '')))
  return known.every((name) => applied.has(name))
}
