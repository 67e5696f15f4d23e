import { amountsOfPayers } from '../billing/flight-bill/flight-charge.ts'
import { confirmReview, type Signing } from '../dispatch/confirm-review.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Signs the figures of a flight, and stores with the signature what each payer owes now. When a change of the school's rules, rates or
 * taxes raises an amount afterwards, the signature does not count for it, and the payer is notified before being charged.
 * Implements interface §Reservation lifecycle, trigger confirmReview.
 */
export function signFlight(tx: Tx, actor: Actor, id: number, signing: Signing): Promise<{ id: number }> {
  const { settings } = actor.organization
  return confirmReview(tx, actor, id, { ...signing, amountsOf: (row) => amountsOfPayers(row, settings) })
}
