import { type RawBuilder, sql } from 'kysely'
import type { Interval } from '../kernel/instants.ts'
import { offsetChanges, offsetMinutes } from '../kernel/zones.ts'

/**
 * Returns the local time in a zone of an SQL instant that is within an interval, as an SQL `timestamp`. The offsets from UTC
 * come from the zone data of Node.js, as every other local day does: PostgreSQL has zone data of its own, which may be
 * older or lack a zone, so no statement gives it the name of one.
 */
export function localTime(at: RawBuilder<unknown>, zone: string, { start, end }: Interval): RawBuilder<unknown> {
  const changes = offsetChanges(start, end, zone)
  const last = sql.lit(changes.at(-1)?.after ?? offsetMinutes(start, zone))
  const cases = changes.map((change) => sql`when ${at} < ${change.at}::timestamptz then ${sql.lit(change.before)}`)
  const minutes = cases.length === 0 ? last : sql`case ${sql.join(cases, sql` `)} else ${last} end`
  return sql`((${at} at time zone 'UTC') + ${minutes} * interval '1 minute')`
}
