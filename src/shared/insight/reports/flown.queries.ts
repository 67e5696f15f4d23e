import { type RawBuilder, sql } from 'kysely'
import type { Interval } from '../../platform/kernel/instants.ts'

/** The scope of a report: its organization and its window. */
export interface ReportScope {
  organizationId: number
  window: Interval
}

/**
 * Returns the lessons and flights that ended in a window, for a `from` clause: bookings that were ramped in or whose
 * briefing was confirmed. The end is the ramp-in, or the booked end when that is earlier.
 */
export function flownIn({ organizationId, window: { start, end } }: ReportScope): RawBuilder<unknown> {
  return sql`(select r.id, r.type, r.resource_id, coalesce(r.hobbs_in - r.hobbs_out, 0) as hobbs,
      coalesce(r.tach_in - r.tach_out, 0) as tach, coalesce(r.briefing_tenths, 0) as briefing,
      r.ramped_in_at is not null as metered
    from reservation r
    where r.organization_id = ${organizationId} and r.live
      and (r.ramped_in_at is not null or r.briefing_tenths is not null)
      and least(r.ends_at, r.ramped_in_at) >= ${start} and least(r.ends_at, r.ramped_in_at) < ${end})`
}
