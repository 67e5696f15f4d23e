import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import type { Neighbours } from './kept-correction.rules.ts'
import type { Meter } from './meters.rules.ts'

/** Returns the readings of the aircraft's flights before and after a flight, and at its maintenance. */
export async function findNeighbours(
  db: Db,
  organizationId: number,
  { id, resource, ramped_out_at: leftAt, hobbs_in: hobbsIn, tach_in: tachIn }: ReservationRow,
): Promise<Record<Meter, Neighbours>> {
  const flights = sql`select r.hobbs_out, r.hobbs_in, r.tach_out, r.tach_in from reservation r
    where r.organization_id = ${organizationId} and r.resource_id = ${resource?.id ?? 0} and r.live and r.id <> ${id}`
  const { rows } = await sql<Record<Meter, Neighbours>>`
    with previous as (
      ${flights} and r.ramped_in_at is not null and r.ramped_out_at < ${leftAt} order by r.ramped_out_at desc limit 1
    ), following as (
      ${flights} and r.ramped_out_at > ${leftAt} order by r.ramped_out_at limit 1
    ), completed as (
      select max(c.hobbs_hundredths) filter (where c.hobbs_hundredths <= ${hobbsIn}) as hobbs,
        max(c.tach_hundredths) filter (where c.tach_hundredths <= ${tachIn}) as tach
      from maintenance_completion c
      join maintenance_item m on m.organization_id = c.organization_id and m.id = c.reminder_id
      where c.organization_id = ${organizationId} and m.resource_id = ${resource?.id ?? 0} and not exists (
        select from maintenance_reversal v where v.organization_id = c.organization_id and v.completion_id = c.id)
    )
    select json_build_object('previousIn', p.hobbs_in, 'nextOut', f.hobbs_out, 'completedAt', c.hobbs) as hobbs,
      json_build_object('previousIn', p.tach_in, 'nextOut', f.tach_out, 'completedAt', c.tach) as tach
    from completed c left join previous p on true left join following f on true`.execute(db)
  return rows[0]!
}
