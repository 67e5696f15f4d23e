import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { decidesForPayers } from '../scheduling/reservations/payers.rules.ts'
import { assertTransition, clearSignatures, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { hasCloseOutAuthority } from './sign-off.rules.ts'

/**
 * Reopens a signed-off close-out: deletes the signatures, keeps readings, crew and times, and records the reason.
 * Implements interface §Reservations rule 8.
 */
export async function reopen(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (!hasCloseOutAuthority(actor.roles, actor.orgUserId, row.seats)) {
    throw dispatchErrors.reopenForDesk()
  }
  assertTransition('reopen', row)
  await clearSignatures(tx, actor, row.entity, { settles: decidesForPayers(actor, row) })
  const before = {
    signedOffAt: row.signed_off_at?.toISOString(),
    confirmations: row.confirmations.map(({ amounts: _, ...one }) => one),
  }
  emit(tx, actor, { kind: 'reservation.reopened', subject: { kind: 'reservation', id }, reason, before })
  return { id }
}
