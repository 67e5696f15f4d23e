import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { assertTransition, lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import { billingErrors } from '../billing.errors.ts'
import type { Stake } from '../flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../flight-bill/flight-charge.ts'
import { checkStakes } from '../flight-bill/stakes.rules.ts'

/**
 * Replaces all payer stakes of a flight. With an empty list, the organization's charge rules divide the costs. Totals
 * are checked when invoicing.
 * Implements interface §Reservations, PUT payers.
 * @throws Forbidden when the caller is neither staff nor on the booking.
 * @throws Invalid when the booking is cancelled or billed, or a stake is wrong.
 */
export async function putPayers(tx: Tx, actor: Actor, id: number, stakes: readonly Stake[]): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (!is(actor, staff) && !row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) {
    throw billingErrors.payersForStaff()
  }
  assertTransition('putPayers', row)
  const problems = checkStakes(stakes, flightChargeOf(row, actor.organization.settings).payers)
  if (problems.length > 0) {
    throw invalidFields(problems)
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
  emit(tx, actor, {
    kind: 'reservation.payers_changed',
    subject: { kind: 'reservation', id },
    before: { payers: row.stakes },
    after: { payers: stakes },
  })
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
