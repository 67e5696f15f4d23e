import { type Expression, type OperationNode, type RawBuilder, sql } from 'kysely'

/** The position of a row in a list's own order: the values of the order's columns as PostgreSQL writes them. */
export type Position = readonly string[]

/** A row with its position in the list. */
export type Placed<Row> = Row & { cursorPosition: Position }

/**
 * The own order of a list. Its columns are never null, the last one is unique, and all have the same direction. So one
 * row comparison finds the rows that follow a row, and can use an index on these columns.
 */
export interface Keyset {
  /** The terms of `order by`. */
  order: RawBuilder<unknown>
  /** The last column, in which no two rows are equal. */
  unique: RawBuilder<unknown>
  /** The position of a row, to select as `cursorPosition`. */
  position: RawBuilder<Position>
  /** The condition of the rows that follow a position; true for null. */
  after(position: Position | null): RawBuilder<boolean>
}

/** Returns the order by these columns. Their names include the table aliases. */
export function keyset(direction: 'asc' | 'desc', columns: readonly string[]): Keyset {
  return keysetOf(
    direction,
    columns.map((column) => sql.ref(column)),
  )
}

/**
 * Returns the order of a query's own `order by`.
 * @throws Error when the query has no order, mixes both directions, or declares where nulls are placed
 */
export function keysetOfQuery(query: { toOperationNode(): OperationNode }): Keyset {
  const { orderBy } = query.toOperationNode() as OperationNode & { orderBy?: { items: readonly OrderItem[] } }
  const items = orderBy?.items ?? []
  const directions = new Set(items.map(({ direction }) => direction?.sqlFragments?.join('') ?? 'asc'))
  const [direction = ''] = directions
  if (directions.size !== 1 || !['asc', 'desc'].includes(direction) || items.some(({ nulls }) => nulls)) {
    throw new Error('a list is ordered by columns that are never null, all in one direction')
  }
  return keysetOf(
    direction as 'asc' | 'desc',
    items.map((item) => sql`${expressionOf(item.orderBy)}`),
  )
}

interface OrderItem {
  orderBy: OperationNode
  direction?: OperationNode & { sqlFragments?: readonly string[] }
  nulls?: string
}

function expressionOf(node: OperationNode): Expression<unknown> {
  return { expressionType: undefined, toOperationNode: () => node }
}

function keysetOf(direction: 'asc' | 'desc', columns: readonly RawBuilder<unknown>[]): Keyset {
  const [way, past] = direction === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  return {
    order: sql.join(columns.map((column) => sql`${column} ${way}`)),
    unique: columns.at(-1) ?? sql`null`,
    position: sql<Position>`json_build_array(${sql.join(columns.map((column) => sql`${column}::text`))})`,
    after: (position) =>
      position === null ? sql<boolean>`true` : sql<boolean>`(${sql.join(columns)}) ${past} (${sql.join(position)})`,
  }
}
