import { sql } from 'kysely'
import type { AssertedRecovery, LargeRecovery } from '../../communication/notifications/templates/recovery.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { findCauseInWords } from './recovery-cause.queries.ts'

/** Returns a plan that names instructors who are on no record away, for its notification; null for any other. */
export async function findAsserted(
  db: Db,
  organizationId: number,
  id: number,
): Promise<(AssertedRecovery & { instructorIds: number[] }) | null> {
  const { rows } = await sql<Omit<AssertedRecovery, 'cause'> & { instructorIds: number[] }>`
    select o.id, m.search_name as by, o.total as displaced,
      array(select jsonb_array_elements_text(v.cause -> 'instructorOrgUserIds')::int) as "instructorIds"
    from recovery v
    join operation o on o.organization_id = v.organization_id and o.id = v.operation_id
    join membership m on m.organization_id = o.organization_id and m.id = o.started_by
    where v.organization_id = ${organizationId} and v.operation_id = ${id} and v.asserted
      and v.cause ? 'instructorOrgUserIds'`.execute(db)
  const cause = rows[0] ? await findCauseInWords(db, organizationId, id) : null
  return rows[0] && cause !== null ? { ...rows[0], cause } : null
}

/** Returns what was applied of a recovery last, for the notification of owners; null when nothing was. */
export async function findLarge(db: Db, organizationId: number, id: number): Promise<LargeRecovery | null> {
  const { rows } = await sql<LargeRecovery>`
    select e.subject_id as id, m.search_name as by, jsonb_array_length(e.after -> 'reservationIds') as bookings,
      coalesce((e.after -> 'given' ->> 'people')::int, 0) as given
    from event e
    join membership m on m.organization_id = e.organization_id and m.id = e.membership_id
    where e.organization_id = ${organizationId} and e.subject_kind = 'operation' and e.subject_id = ${id}
      and e.kind = 'recovery.applied'
    order by e.sequence desc limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns whether an application makes recoveries move or cancel more than `most` bookings of one resource or instructor within a week.
 * `reservationIds`: the bookings that it applies, which are marked.
 */
export async function passesInWeek(
  db: Db,
  { organizationId, id, now, most }: { organizationId: number; id: number; now: Date; most: number },
  reservationIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    select from recovery v
    join operation_row r on r.organization_id = v.organization_id and r.operation_id = v.operation_id
    cross join lateral (values ('resource', r.detail -> 'from' ->> 'resourceId'),
      ('instructor', r.detail -> 'from' ->> 'instructorOrgUserId')) as taken (kind, id)
    where v.organization_id = ${organizationId} and v.planned_at > ${now}::timestamptz - interval '7 days'
      and taken.id is not null and (r.detail ? 'appliedBy' or r.detail ? 'offerId')
    group by taken.kind, taken.id
    having count(*) > ${most} and count(*) filter (where v.operation_id <> ${id}
      or r.subject_id <> all(${reservationIds}::int[])) <= ${most}
    limit 1`.execute(db)
  return rows.length > 0
}
