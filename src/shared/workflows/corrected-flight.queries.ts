import { sql } from 'kysely'
import { type MismatchRow, selectMismatches } from '../insight/reports/mismatch.queries.ts'
import type { Db } from '../platform/db/database.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/** Returns the times in which signed training records differ from the corrected figures of a flight. */
export async function findRecordsBeside(
  db: Db,
  organizationId: number,
  { id, starts_at: start, ends_at: end, ramped_in_at: rampedInAt }: ReservationRow,
): Promise<MismatchRow[]> {
  const until = new Date(Math.max(end.getTime(), rampedInAt?.getTime() ?? 0) + 1)
  const since = new Date(Math.min(start.getTime(), rampedInAt?.getTime() ?? start.getTime()))
  const mismatches = selectMismatches({ organizationId, window: { start: since, end: until } })
  const { rows } = await sql<MismatchRow>`select * from (${mismatches}) m where m."reservationId" = ${id}`.execute(db)
  return rows
}

/** Returns the names of the people on a booking whom no mail and no app reaches. */
export async function findUnreachable(db: Db, organizationId: number, reservationId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(m.search_name, g.name) as name from seat s
    left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
    left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
    where s.organization_id = ${organizationId} and s.reservation_id = ${reservationId}
      and coalesce(m.account_id is null and m.search_email = '', coalesce(g.email, '') = '')
    order by s.id`.execute(db)
  return rows.map(({ name }) => name)
}
