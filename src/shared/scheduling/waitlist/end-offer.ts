import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Offer, WaitlistEntry } from '../waitlist.tables.ts'
import type { Place } from './entry.rules.ts'
import { markPlaces } from './mark-places.ts'
import { findPassedOver } from './waiting.queries.ts'
import { lockOpenOffers } from './waitlist.access.ts'
import type { AnsweredHow, EndCause, WithdrawalCause } from './waitlist.states.ts'

/** How an offer ends, beside its status. */
export interface Ending {
  cause?: WithdrawalCause
  /** The keys of the rules that refuse its booking by now. */
  rules?: readonly string[]
  answeredBy?: number | null
  how?: AnsweredHow | null
  reservationId?: number
}

/** Ends a locked offer that is open, and marks its place, so that the next person is asked. */
export async function endOffer(
  tx: Tx,
  by: Cause,
  offer: Offer,
  status: 'accepted' | 'declined' | 'expired' | 'withdrawn',
  { cause, rules, answeredBy = null, how = null, reservationId }: Ending = {},
): Promise<void> {
  const isAccepted = status === 'accepted'
  tx.em.assign(offer, {
    status,
    endedAt: tx.now,
    cause: cause ?? null,
    answeredBy,
    how,
    reservationId: reservationId ?? null,
    // Who opens the link of an accepted offer again gets its booking.
    ...(!isAccepted && { seed: null, tokenHash: null }),
  })
  const after = {
    orgUserId: offer.membershipId,
    start: offer.startsAt,
    end: offer.endsAt,
    resourceId: offer.resourceId,
    waitlistEntryId: offer.entryId,
    cause,
    rules,
    how: how ?? undefined,
    reservationId,
  }
  emit(tx, by, { kind: `offer.${status}`, subject: { kind: 'offer', id: offer.id }, after })
  await tx.em.flush()
  if (offer.source !== 'waitlist') return
  const { organizationId, resourceId, startsAt: start, endsAt: end } = offer
  const place = { resourceId: resourceId ?? null, start, end }
  // Entries of a person with as many open offers as they may have were passed over.
  const passed = await findPassedOver(tx.db, offer)
  await markPlaces(tx, organizationId, [...(isAccepted ? [] : [place]), ...passed.map((entryId) => ({ entryId }))])
}

/** Withdraws open offers, or those of them whose place matches. Returns how many. */
export async function withdrawOffers(
  tx: Tx,
  by: Cause,
  which: Parameters<typeof lockOpenOffers>[2],
  cause: WithdrawalCause,
  isWanted: (place: Place) => boolean = () => true,
): Promise<number> {
  const offers = (await lockOpenOffers(tx, by.organizationId, which)).filter((offer) => isWanted(placeOf(offer)))
  for (const offer of offers) await endOffer(tx, by, offer, 'withdrawn', { cause })
  return offers.length
}

/** Returns the place of an offer. */
export function placeOf(offer: Pick<Offer, 'startsAt' | 'endsAt' | 'resourceId' | 'instructorId'>): Place {
  const { startsAt: start, endsAt: end, resourceId, instructorId } = offer
  return { start, end, resourceId: resourceId ?? null, instructorId: instructorId ?? null }
}

/** Ends a locked waiting entry. */
export function endEntry(tx: Tx, by: Cause, entry: WaitlistEntry, cause: EndCause, reservationId?: number): void {
  const status = cause === 'booked' ? 'booked' : 'ended'
  tx.em.assign(entry, { status, endedAt: tx.now, endCause: cause, ...(reservationId && { reservationId }) })
  const subject = { kind: 'waitlist_entry', id: entry.id } as const
  emit(tx, by, { kind: 'waitlist.ended', subject, after: { orgUserId: entry.membershipId, cause } })
}
