import { amountsOfPayers } from '../billing/flight-bill/flight-charge.ts'
import { confirmReview, type Signing } from '../dispatch/confirm-review.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { staff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/**
 * Signs the figures of a flight, and stores with the signature the amounts to which it agrees: what each payer owes now, or only the
 * signer's own amount when the signer is not staff, for example an instructor who lost the role after the booking. When a change of the
 * school's rules, rates or taxes raises an amount afterwards, the signature does not count for it, and the payer is notified before
 * being charged.
 * Implements interface §Reservation lifecycle, trigger confirmReview.
 */
export function signFlight(tx: Tx, actor: Actor, id: number, signing: Signing): Promise<{ id: number }> {
  const { settings } = actor.organization
  const amountsOf = (row: ReservationRow) =>
    amountsOfPayers(row, settings).filter(({ orgUserId }) => is(actor, staff) || orgUserId === actor.orgUserId)
  return confirmReview(tx, actor, id, { ...signing, amountsOf })
}
