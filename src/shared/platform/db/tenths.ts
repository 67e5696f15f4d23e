import { type RawBuilder, sql } from 'kysely'

/** Returns SQL for hundredths of an hour, or a sum of them, in tenths, rounded half up. */
export function asTenths(hundredths: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`floor((coalesce(${hundredths}, 0) + 5) / 10.0)::int`
}
