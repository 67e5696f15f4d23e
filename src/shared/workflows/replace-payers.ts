import { billingErrors } from '../billing/billing.errors.ts'
import type { Stake } from '../billing/flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../billing/flight-bill/flight-charge.ts'
import { payersRaised, sameStakes } from '../billing/flight-bill/shares.rules.ts'
import { checkStakes } from '../billing/flight-bill/stakes.rules.ts'
import { notifyOwnersOfOwnMoney } from '../billing/ledger/notify-owners.ts'
import { dispatchErrors } from '../dispatch/dispatch.errors.ts'
import { mayClearSignatures } from '../dispatch/sign-off.rules.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { staff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { decidesForPayers } from '../scheduling/reservations/payers.rules.ts'
import { assertTransition, clearSignatures, lockReservation } from '../scheduling/reservations/reservation.access.ts'

/**
 * Replaces all payer stakes of a flight. With an empty list, the organization's charge rules divide the costs. Totals are checked when
 * the flight is invoiced. Changed stakes clear all signatures, because people signed for the earlier ones. Unchanged stakes write
 * nothing.
 * Implements interface §Reservations, PUT payers.
 */
export async function replacePayers(
  tx: Tx,
  actor: Actor,
  id: number,
  stakes: readonly Stake[],
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (!is(actor, staff) && !row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) {
    throw billingErrors.payersForStaff()
  }
  assertTransition('replacePayers', row)
  const flight = flightChargeOf(row, actor.organization.settings)
  const problems = checkStakes(stakes, flight.payers)
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
  if (sameStakes(flight.stakes, stakes)) return { id }
  const raised = payersRaised(flight, { ...flight, stakes }, actor.orgUserId)
  const decides = decidesForPayers(actor, row)
  if (raised.length > 0 && !decides) throw billingErrors.shareNotYours()
  if (row.confirmations.length > 0) {
    if (!mayClearSignatures(row, actor.roles, actor.orgUserId)) throw dispatchErrors.othersSigned()
    await clearSignatures(tx, actor, row.entity, { settles: decides })
  }
  await tx.db
    .deleteFrom('payer_stake')
    .where('organization_id', '=', actor.organizationId)
    .where('reservation_id', '=', id)
    .execute()
  if (stakes.length > 0) {
    const rows = stakes.map((stake, position) => toRow(stake, { organizationId: actor.organizationId, id, position }))
    await tx.db.insertInto('payer_stake').values(rows).execute()
  }
  const own = stakes.some(({ kind, orgUserId }) => kind === 'waived' && orgUserId === actor.orgUserId)
  emit(tx, actor, {
    kind: 'reservation.payers_changed',
    subject: { kind: 'reservation', id },
    before: { payers: row.stakes },
    after: { payers: stakes, own },
  })
  const { currency } = actor.organization.settings
  if (own) await notifyOwnersOfOwnMoney(tx, actor, { what: 'waived', currency })
  return { id }
}

function toRow(stake: Stake, of: { organizationId: number; id: number; position: number }) {
  const readings = stake.kind === 'readings' ? stake : null
  return {
    organization_id: of.organizationId,
    reservation_id: of.id,
    position: of.position,
    membership_id: stake.orgUserId,
    guest_id: stake.guestId,
    kind: stake.kind,
    hobbs_out: readings?.hobbsOut ?? null,
    hobbs_in: readings?.hobbsIn ?? null,
    tach_out: readings?.tachOut ?? null,
    tach_in: readings?.tachIn ?? null,
    percentage_bps: stake.kind === 'percentage' ? stake.percentageBps : null,
  }
}
