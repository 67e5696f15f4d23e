import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables } from './database.ts'
import { keysetOfQuery, type Placed, type Position } from './keyset.ts'
import { pageLimit } from './read-rows.ts'
import { columnsOf, orderOf, type Sort, type SortKeysOrMake } from './sort-keys.ts'

/**
 * Returns a query as the source of a list: slices in the query's own order or by a sort key, the rows after a position
 * in its own order, and a bounded count. `keyset.ts` defines which orders a query may have. Without `keys`, the list is
 * sorted in memory, which suits lists of up to some thousand rows.
 */
export function pageable<Row>(db: Db, query: SelectQueryBuilder<Tables, never, Row>, keys?: SortKeysOrMake) {
  return {
    ...(keys && { sortsBy: () => true, columns: () => columnsOf(keys) }),
    slice: (offset: number, limit: number, sort?: Sort): Promise<Row[]> =>
      sorted(query, sort && keys && orderOf(keys, sort))
        .modifyEnd(pageLimit(limit, offset))
        .execute() as Promise<Row[]>,
    following(after: Position | null, limit: number): Promise<Placed<Row>[]> {
      const own = keysetOfQuery(query)
      return query
        .where(own.after(after))
        .select(own.position.as('cursorPosition'))
        .modifyEnd(pageLimit(limit))
        .execute() as Promise<unknown> as Promise<Placed<Row>[]>
    },
    async *inOrder(sort: Sort | undefined, { offset, size }: { offset: number; size: number }): AsyncGenerator<Row[]> {
      const id = keysetOfQuery(query).unique
      const ordered = sorted(query, sort && keys && orderOf(keys, sort))
        .clearSelect()
        .select(id.as('listedId'))
      const listed = (await ordered.offset(offset).execute()) as unknown as { listedId: unknown }[]
      const ids = listed.map(({ listedId }) => listedId)
      for (let at = 0; at < ids.length; at += size) {
        const slice = ids.slice(at, at + size)
        const among = sql<boolean>`${id} = any(${slice})`
        const rows = await query.clearOrderBy().select(id.as('listedId')).where(among).execute()
        const byId = new Map((rows as unknown as { listedId: unknown }[]).map((row) => [row.listedId, row as Row]))
        yield slice.flatMap((one) => byId.get(one) ?? [])
      }
    },
    async count(most: number): Promise<number> {
      const { total } = await db
        .selectFrom(
          // The list's order lets an index find the rows. In another order, rows of other organizations may be read first.
          query.limit(sql.lit(most + 1)).as('listed'),
        )
        .select((eb) => eb.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
  }
}

/** Orders a query by a key, then by its own order. */
function sorted<Row>(query: SelectQueryBuilder<Tables, never, Row>, by: ReturnType<typeof orderOf> | undefined) {
  if (!by) return query
  const own = query.toOperationNode().orderBy?.items ?? []
  return own.reduce(
    (ordered, item) => ordered.orderBy({ expressionType: undefined, toOperationNode: () => item } as never),
    query.clearOrderBy().orderBy(by),
  )
}
