import { notifyOwnersOfOwnMoney } from '../billing/ledger/notify-owners.ts'
import { type Corrected, type ReviewTimes, updateReviewTimes } from '../dispatch/update-review-times.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Corrects the figures of a booking, and mails all owners when desk staff shorten times that they pay for themselves.
 * Implements interface §Reservations, updateReviewTimes.
 */
export async function correctTimes(tx: Tx, actor: Actor, id: number, input: ReviewTimes): Promise<Corrected> {
  const corrected = await updateReviewTimes(tx, actor, id, input)
  const { currency } = actor.organization.settings
  if (corrected.shortenedOwn) await notifyOwnersOfOwnMoney(tx, actor, { what: 'readings', currency })
  return corrected
}
