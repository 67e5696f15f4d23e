import type pg from 'pg'

/** A job of the outbox, whether or not the queue has it. */
const jobs = '(row.id, row.payload)::text'

/** What every table holds, as a digest by table. */
export type DatabaseState = Map<string, string>

/** Reads all tables of the service. */
export async function stateOf(pool: pg.Pool): Promise<DatabaseState> {
  const tables = await tablesOf(pool)
  const digest = (table: string) => {
    const whole = table === 'outbox' ? jobs : 'row::text'
    return `select '${table}' as name, coalesce(md5(string_agg(${whole}, '' order by ${whole})), '') as digest from "${table}" row`
  }
  const { rows } = await pool.query<{ name: string; digest: string }>(tables.map(digest).join(' union all '))
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

/** The tables whose rows differ. */
export function changedBetween(before: DatabaseState, after: DatabaseState): string[] {
  return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)
}

/** The tables of the service: not those of the queues, nor the list of migrations. */
export async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'migration' order by 1",
  )
  return rows.map(({ name }) => name)
}

/** The tables, of the service and of its queues, in which one of the words occurs; with the first such row. */
export async function tablesHolding(pool: pg.Pool, words: string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'bullmq') and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      // Without the offset each row would be written out again for each word.
      `select row from (select row::text from ${name} row offset 0) written
        where exists (select from unnest($1::text[]) word where position(word in row) > 0) limit 1`,
      [words],
    )
    if (rows[0]) found.push(`${name}: ${rows[0].row.slice(0, 300)}`)
  }
  return found
}
