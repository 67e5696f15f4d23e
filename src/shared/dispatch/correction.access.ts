import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { paysFor } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/** Returns whether the actor made the correction, and another admin could answer the objections to it. */
export async function isJudgeOfOwn(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  row: ReservationRow,
): Promise<boolean> {
  if (row.corrected_by !== orgUserId) return false
  const others = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '<>', orgUserId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('owner', '=', true), eb('admin', '=', true)]))
    .execute()
  return others.some(({ id }) => !isConcerned(row, id))
}

/** Returns whether a correction concerns a member: they are on the flight, or pay one of its invoices. */
export function isConcerned(row: ReservationRow, orgUserId: number): boolean {
  return row.seats.some((seat) => seat.orgUserId === orgUserId) || paysFor(row, orgUserId)
}
