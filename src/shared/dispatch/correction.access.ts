import { sql } from 'kysely'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { paysFor } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/** Returns whether the actor made one of the corrections of a flight, and an admin who made none could answer the objections. */
export async function isJudgeOfOwn(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  row: ReservationRow,
): Promise<boolean> {
  const made = await tx.db
    .selectFrom('event')
    .select('membership_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('subject_kind', '=', 'reservation')
    .where('subject_id', '=', row.id)
    .where('kind', '=', 'reservation.corrected')
    .where(sql<boolean>`(after ->> 'kept')::boolean`)
    .execute()
  const by = [row.corrected_by, ...made.map(({ membership_id }) => membership_id)]
  if (!by.includes(orgUserId)) return false
  const others = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '<>', orgUserId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('owner', '=', true), eb('admin', '=', true)]))
    .execute()
  return others.some(({ id }) => !by.includes(id) && !isConcerned(row, id))
}

/** Returns whether a correction concerns a member: they are on the flight, or pay one of its invoices. */
export function isConcerned(row: ReservationRow, orgUserId: number): boolean {
  return row.seats.some((seat) => seat.orgUserId === orgUserId) || paysFor(row, orgUserId)
}
