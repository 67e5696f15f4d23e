import type pg from 'pg'

/** A table of the service, with the columns that a backup holds: all but generated ones. */
export interface BackupTable {
  name: string
  columns: string[]
}

/** The tables that a backup leaves out. A restore creates the table of applied migrations by migrating. */
const NOT_DATA = ['migration']

/**
 * Returns the tables of the service, ordered by name. The tables of the queues are left out, because the outbox has
 * every job that is not done.
 */
export async function findTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = '' and c.relname <> all($1)
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by c.relname order by c.relname`,
    [NOT_DATA],
  )
  return rows
}

/** Returns the last value of each sequence of the service. */
export async function findSequences(
  client: pg.ClientBase,
): Promise<{ name: string; value: string; called: boolean }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and c.relname <> 'migration_id_seq' order by 1`,
  )
  const found = []
  for (const { name } of rows) {
    const state = await client.query(`select last_value::text as value, is_called as called from "${name}"`)
    found.push({ name, ...state.rows[0] })
  }
  return found
}

/** A foreign key with the definition that creates it again. */
export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Returns the foreign keys between tables of the service. */
export async function findForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  return rows
}

/** Returns the names of the applied migrations, in their order. */
export async function findApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map(({ name }) => name)
}

/** Returns whether a role is a superuser; null stands for the connection's own role. */
export async function isSuperuser(client: pg.ClientBase, role: string | null): Promise<boolean> {
  const { rows } = await client.query<{ mighty: boolean }>(
    'select rolsuper as mighty from pg_roles where rolname = coalesce($1, current_user)',
    [role],
  )
  return rows[0]?.mighty ?? false
}
