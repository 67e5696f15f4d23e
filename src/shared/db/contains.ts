import { type RawBuilder, sql } from 'kysely'

/** Whether a text stands, in any case, in one of the columns. Its `%`, `_` and `\` are plain characters. */
export function contains(text: string, columns: readonly string[]): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`
}
