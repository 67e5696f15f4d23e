import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL expression to order rows by. For a list inside the row: a function from the index of an element, from 0, to
 * the expression.
 */
export type SortKey = RawBuilder<unknown> | ((index: number) => RawBuilder<unknown>)

/**
 * The sort keys of a list: an SQL expression for each dot path of its rows, with `*` for the index of a nested list. A
 * field that is hidden from the reader must not have a key that reveals it.
 */
export type SortKeys = Readonly<Record<string, SortKey>>

/** Sort keys, or the function that makes them for a reader or an instant. It is called only when a list is sorted. */
export type SortKeysOrMake = SortKeys | (() => SortKeys)

const made = (keys: SortKeysOrMake): SortKeys => (typeof keys === 'function' ? keys() : keys)

/** Returns up to five sortable paths without a dot, except `id`, for the error message about an unknown path. */
export function columnsOf(keys: SortKeysOrMake): string[] {
  return Object.keys(made(keys))
    .filter((path) => path !== 'id' && !path.includes('.'))
    .slice(0, 5)
}

export interface Sort {
  by: string
  order: 'asc' | 'desc'
}

/** Returns the sort key of a number, instant or flag. */
export const byValue = (column: string): RawBuilder<unknown> => sql.ref(column)

/** Returns the sort key of a text; an empty text sorts like null. */
export function byText(text: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`nullif(${typeof text === 'string' ? sql.ref(text) : text}, '') collate natural_order`
}

/** Returns the SQL of a member's name. `member` is a column or expression with the member's id. */
export function nameOf(member: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select pm.search_name from membership pm where pm.id = ${member})`
}

/**
 * Returns the sort keys of a member's id and name in a row. `column` is the column or expression with the member's id.
 */
export function byPerson(path: string, column: string | RawBuilder<unknown>): SortKeys {
  const member = typeof column === 'string' ? sql.ref(column) : column
  return { [`${path}.orgUserId`]: member, [`${path}.name`]: byText(nameOf(member)) }
}

/** Returns the SQL order of a sort, nulls last; null for an unknown path. */
export function orderOf(of: SortKeysOrMake, { by, order }: Sort): RawBuilder<unknown> | null {
  const keys = made(of)
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
