import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { recoveryErrors } from '../scheduling/recovery.errors.ts'
import { findGivenAt, findPlaceBefore } from '../scheduling/reservations/history.queries.ts'
import { mayUndo } from '../scheduling/reservations/reservation.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { changeReservation } from './change-reservation.ts'

/**
 * Moves a booking back from where somebody moved it in the caller's name. Returns false when it was not moved: it was booked then. The
 * caller had that place before, so it is judged as by the desk: approval and limits do not keep them from it.
 * @throws a refusal when that place is over, or taken by now
 */
export async function undoAgreed(tx: Tx, actor: Actor, { id, start }: { id: number; start: Date }): Promise<boolean> {
  const givenAt = await findGivenAt(tx.db, actor, id)
  if (!givenAt || !mayUndo({ now: tx.now, start, givenAt })) throw schedulingErrors.nothingToUndo()
  const before = await findPlaceBefore(tx.db, actor, id, givenAt)
  if (!before) return false
  const { start: from, end, resourceId, locationId, personnel } = before
  if (from && new Date(from) <= tx.now) throw recoveryErrors.causeOver({ field: 'start' })
  const instructors = personnel?.instructors ?? []
  const seats = instructors.map((orgUserId, index) => ({ side: 'instructors' as const, index, orgUserId }))
  await changeReservation(tx, { ...actor, roles: { ...actor.roles, dispatcher: true } }, id, {
    ...(from && end && { start: new Date(from), end: new Date(end) }),
    ...(resourceId !== undefined && { resourceId }),
    ...(locationId !== undefined && { locationId }),
    ...(personnel && { sides: [{ side: 'instructors' as const, seats }] }),
  })
  return true
}
