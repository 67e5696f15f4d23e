import type { Tx } from '../platform/db/transaction.ts'
import type { Cause } from '../platform/events/emit.ts'
import { endHolds } from '../scheduling/booking-requests/booking-request.access.ts'
import type { Place } from '../scheduling/reservations/place.rules.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import { offersOver } from '../scheduling/rules/offers.rules.ts'
import { heldAt } from '../scheduling/rules/resource.rules.ts'
import { endOffersOver } from '../scheduling/waitlist/end-offers-over.ts'

/** A booking at the place that was chosen for it, with the facts by which its places were judged. */
interface Placed {
  row: { id: number }
  choices: readonly { facts: BookingFacts }[]
  plan: { choice: number | null }
  to: Place
}

/** Ends the unconfirmed holds and the open offers whose places moved bookings take. The caller holds the locks of the slots. */
export async function endHeldPlaces(
  tx: Tx,
  by: Cause & { orgUserId: number },
  placed: readonly Placed[],
): Promise<void> {
  const judged = placed.map(({ row, choices, plan, to }) => ({ id: row.id, to, facts: choices[plan.choice!]!.facts }))
  const held = judged.flatMap(({ facts, to }) => heldAt(facts.resource, [to]))
  await endHolds(tx, by.organizationId, [...new Set(held)])
  for (const { id, facts, to } of judged) await endOffersOver(tx, by, offersOver(facts, [to]), { id, ...to })
}
