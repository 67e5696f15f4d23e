import type { SelectQueryBuilder } from 'kysely'
import type { Db, Tables } from './database.ts'

/**
 * A query as the source of a list: in slices of its own order, and counted. The order must end in something unique,
 * or slices could overlap.
 */
export function pageable<Row>(db: Db, query: SelectQueryBuilder<Tables, never, Row>) {
  return {
    slice: (offset: number, limit: number): Promise<Row[]> =>
      query.offset(offset).limit(limit).execute() as Promise<Row[]>,
    async count(): Promise<number> {
      const { total } = await db
        .selectFrom(query.clearOrderBy().as('listed'))
        .select((eb) => eb.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
  }
}
