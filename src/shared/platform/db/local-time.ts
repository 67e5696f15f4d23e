import { type RawBuilder, sql } from 'kysely'
import type { Interval } from '../kernel/instants.ts'
import { offsetChanges, offsetMinutes } from '../kernel/zones.ts'

/**
 * Converts an SQL instant, which must be within an interval, to the local time in a zone, as an SQL `timestamp`. The
 * offsets from UTC come from the zone data of Node.js, like all other local times. No statement passes a zone name to
 * PostgreSQL, because its own zone data may be older or lack the zone.
 */
export function localTime(at: RawBuilder<unknown>, zone: string, { start, end }: Interval): RawBuilder<unknown> {
  const changes = offsetChanges(start, end, zone)
  const last = sql.lit(changes.at(-1)?.after ?? offsetMinutes(start, zone))
  const cases = changes.map((change) => sql`when ${at} < ${change.at}::timestamptz then ${sql.lit(change.before)}`)
  const minutes = cases.length === 0 ? last : sql`case ${sql.join(cases, sql` `)} else ${last} end`
  return sql`((${at} at time zone 'UTC') + ${minutes} * interval '1 minute')`
}
