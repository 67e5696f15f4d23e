import { type RawBuilder, sql } from 'kysely'
import { firstLimitAt, reads, statusAt } from '../../fleet/maintenance/maintenance-item.queries.ts'
import type { LimitBasis, MaintenanceStatus } from '../../fleet/maintenance/maintenance-item.rules.ts'
import type { Cents, Hundredths } from '../../platform/kernel/units.ts'
import type { ReportScope } from './flown.queries.ts'

/** The cancellations of one category in a window, by notice. */
export interface CancellationRow {
  category: string
  cancellations: number
  under24Hours: number
  from24To72Hours: number
  over72Hours: number
  averageNoticeMinutes: number
  /** The fees of these cancellations: not decided yet, waived, and charged and not given back, with the amount without taxes. */
  feesProposed: number
  feesWaived: number
  feesCharged: number
  chargedCents: Cents
}

/**
 * Selects the numbers of bookings that were cancelled in a window, by category, most frequent first. Notice is the time
 * from the cancellation to the booked start; 0 when the booking was cancelled after its start. Implements interface
 * §Reports.
 */
export function selectCancellations({ organizationId, window }: ReportScope): RawBuilder<CancellationRow> {
  return sql<CancellationRow>`
    select category, count(*)::int as cancellations, count(*) filter (where notice < 1440)::int as "under24Hours",
      count(*) filter (where notice >= 1440 and notice < 4320)::int as "from24To72Hours",
      count(*) filter (where notice >= 4320)::int as "over72Hours", round(avg(notice))::int as "averageNoticeMinutes",
      count(*) filter (where cents > 0 and status in ('proposed', 'objected'))::int as "feesProposed",
      count(*) filter (where cents > 0 and status = 'waived')::int as "feesWaived",
      count(*) filter (where is_due)::int as "feesCharged", coalesce(sum(cents) filter (where is_due), 0)::float8 as "chargedCents"
    from (
      select coalesce(r.cancellation_category, 'other') as category,
        greatest(extract(epoch from r.starts_at - r.cancelled_at) / 60, 0) as notice, f.cents, f.status,
        coalesce(f.status = 'charged' and invoice_stands(i.status, i.total_cents, i.credited_cents), false) as is_due
      from reservation r
      left join cancellation_fee f on f.organization_id = r.organization_id and f.reservation_id = r.id
        and f.cancelled_at = r.cancelled_at
      left join invoice i on i.organization_id = f.organization_id and i.id = f.invoice_id
      where r.organization_id = ${organizationId} and r.cancelled_at >= ${window.start} and r.cancelled_at < ${window.end}
    ) cancelled
    group by category
    order by cancellations desc, category`
}

/**
 * One maintenance item of the due list, with the limit that is expected to be reached first. Readings are hundredths of
 * an hour or of a landing.
 */
export interface DueItemRow {
  reminderId: number
  resourceId: number
  resource: string
  name: string
  basis: LimitBasis
  status: MaintenanceStatus
  grounding: boolean
  dueAt: Date | null
  dueHundredths: Hundredths | null
  currentHundredths: Hundredths | null
}

/**
 * Selects the maintenance items, each with the limit that is expected to be reached first. They are ordered by status,
 * most urgent first, then by due date, then by hours left. `until` excludes items whose due date is at or after it.
 * Implements interface §Reports.
 */
export function selectDueItems(
  { organizationId, until }: { organizationId: number; until: Date | undefined },
  now: Date,
): RawBuilder<DueItemRow> {
  return sql<DueItemRow>`
    select d.id as "reminderId", r.id as "resourceId", r.name as resource, d.name, x.basis, ${statusAt(now)} as status,
      d.grounding, x.due_at as "dueAt", x.due_hundredths as "dueHundredths", ${reads} as "currentHundredths"
    from maintenance_item d
    join resource r on r.organization_id = d.organization_id and r.id = d.resource_id
    cross join lateral ${firstLimitAt(now)} x
    where d.organization_id = ${organizationId} ${until ? sql`and (x.due_at is null or x.due_at < ${until})` : sql``}
    order by array_position(array['overdue', 'due_soon', 'unknown', 'ok'], ${statusAt(now)}::text), x.due_at nulls last,
      x.due_hundredths - ${reads} nulls last, d.id`
}
