import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ClaimedRow } from '../platform/jobs/claim-batch.ts'

/** SQL for a booking `r` of an organization `o` with no-shows that has started and that nobody has ramped out. */
export const expected = sql`r.live and r.ramped_out_at is null and r.type not in ('ground', 'maintenance')
  and r.resource_id is not null and not r.made_after_start`

/** SQL for the organizations `o` of bookings `r` that call no-shows. */
export const callsNoShows = sql`join organization o on o.id = r.organization_id
  and o.settings ->> 'noShowMinutes' is not null`

/** SQL for the minutes after which a booking of the organization `o` is a no-show. */
export const noShowMinutes = sql`(o.settings ->> 'noShowMinutes')::int`

/** Returns bookings that are due as no-shows, at most 30 minutes ago, of all organizations. */
export async function findNoShowsDue(db: Db, now: Date): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    select r.id, r.organization_id as "organizationId" from reservation r ${callsNoShows}
    where ${expected} and r.starts_at <= ${now}::timestamptz - make_interval(mins => ${noShowMinutes})
      and r.starts_at >= ${now}::timestamptz - make_interval(mins => ${noShowMinutes} + 30)
      and r.starts_at >= ${now}::timestamptz - interval '5 hours'
    order by r.starts_at, r.id`.execute(db)
  return rows
}

/**
 * Returns whether something keeps a booking from leaving that is not its people's fault: an instructor of it is out on
 * another flight, somebody tried to ramp it out and was refused, or it is a guest's and paid in advance.
 */
export async function isKeptBack(db: Db, organizationId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from reservation r where r.organization_id = ${organizationId} and r.id = ${id} and (
      exists (select from event e where e.organization_id = r.organization_id and e.subject_kind = 'reservation'
        and e.subject_id = r.id and e.kind = 'reservation.ramp_out_refused')
      or exists (select from seat s
        join seat t on t.organization_id = s.organization_id and t.membership_id = s.membership_id and t.side = 'instructors'
        join reservation b on b.organization_id = t.organization_id and b.id = t.reservation_id
        where s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'instructors' and b.id <> r.id
          and b.live and b.ramped_out_at is not null and b.ramped_in_at is null)
      or (r.collection_style = 'prepaid_fixed' and exists (select from seat g
        where g.organization_id = r.organization_id and g.reservation_id = r.id and g.side = 'guests')))`.execute(db)
  return rows.length > 0
}
