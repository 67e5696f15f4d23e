import { type RawBuilder, sql } from 'kysely'

/** What the database orders a list's rows by; for an element of a list inside of the row, by its index from 0. */
export type SortKey = RawBuilder<unknown> | ((index: number) => RawBuilder<unknown>)

/**
 * How a list is sorted in the database: an expression over its query for every dot path of its answer, with `*` where
 * a path goes through a list. A field that the reader is not shown must not be in the key either.
 */
export type SortKeys = Readonly<Record<string, SortKey>>

/** The shortest of the paths that the database sorts by, to name to whoever asks for another. */
export function columnsOf(keys: SortKeys): string[] {
  return Object.keys(keys)
    .filter((path) => path !== 'id' && !path.includes('.'))
    .slice(0, 5)
}

export interface Sort {
  by: string
  order: 'asc' | 'desc'
}

/** The key of numbers, instants and flags. */
export const byValue = (column: string): RawBuilder<unknown> => sql.ref(column)

/** The key of texts: an empty one counts as none. */
export function byText(text: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`nullif(${typeof text === 'string' ? sql.ref(text) : text}, '') collate natural_order`
}

/** The names and ids of a member inside of an answer, found by the column that refers to them. */
export function byPerson(path: string, column: string): SortKeys {
  const name = sql`(select pa.name from membership pm join account pa on pa.id = pm.account_id
    where pm.id = ${sql.ref(column)})`
  return { [`${path}.orgUserId`]: byValue(column), [`${path}.name`]: byText(name) }
}

/** What to order by, empty values last; null for a path that the rows do not have: it sorts nothing. */
export function orderOf(keys: SortKeys, { by, order }: Sort): RawBuilder<unknown> | null {
  const indexes: number[] = []
  const path = by.replace(/(?<=\.)(0|[1-9][0-9]{0,4})(?=\.|$)/g, (index) => {
    indexes.push(Number(index))
    return '*'
  })
  const key = Object.hasOwn(keys, path) && !by.includes('*') ? keys[path] : undefined
  if (key === undefined) return null
  const expression = typeof key === 'function' ? key(indexes[0] ?? 0) : key
  return sql`${expression} ${order === 'asc' ? sql`asc` : sql`desc`} nulls last`
}
