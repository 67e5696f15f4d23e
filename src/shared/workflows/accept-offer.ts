import type { MailTokens } from '../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { AppError, type ErrorDetails } from '../platform/kernel/errors.ts'
import { defaultTitle } from '../scheduling/booking-requests/request.rules.ts'
import { findAsked } from '../scheduling/recoveries/withdraw-moved.ts'
import { lockEntity } from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import { type Answering, answeringOf, assertIsOpen, decline } from '../scheduling/waitlist/answer-offer.ts'
import { endEntry, endOffer } from '../scheduling/waitlist/end-offer.ts'
import { bookingAt, principalOf, seatsOf } from '../scheduling/waitlist/judge-place.ts'
import { findOfferOfLink } from '../scheduling/waitlist/offer-link.queries.ts'
import { isOtherNow } from '../scheduling/waitlist/offered-resource.queries.ts'
import { isMovedSince } from '../scheduling/waitlist/open-offers.queries.ts'
import { findOfferIfAny, lockEntryIfAny, lockOffer, nameOfMember } from '../scheduling/waitlist/waitlist.access.ts'
import type { AnsweredHow } from '../scheduling/waitlist/waitlist.states.ts'
import { waitlistErrors } from '../scheduling/waitlist.errors.ts'
import type { Offer } from '../scheduling/waitlist.tables.ts'
import { changeReservation } from './change-reservation.ts'
import { createReservation } from './create-reservation.ts'

/**
 * What became of accepting: the booking, which may be an earlier one of the same offer, or why there is none. That is answered
 * after the commit, because the offer was withdrawn in the same transaction.
 */
export interface Accepted {
  reservationId: number | null
  again: boolean
  refused: AppError | null
}

/** Accepts an offer: its person, or desk staff in the person's name. */
export async function acceptOffer(tx: Tx, actor: Actor, id: number, how: AnsweredHow | null): Promise<Accepted> {
  const seen = await findOfferIfAny(tx, actor.organizationId, id)
  const answering = answeringOf(actor, seen, how)
  return accept(tx, answering, seen!)
}

/** Answers an offer by the token of its mailed link, which signs nobody in. */
export async function answerOfferLink(
  tx: Tx,
  mailTokens: MailTokens,
  { token, answer }: { token: string; answer: 'accept' | 'decline' },
): Promise<Accepted> {
  const { id, organizationId, orgUserId } = await findOfferOfLink(tx.db, mailTokens.hashOf(token))
  // Nobody is signed in, so that the person is notified.
  const answering = { by: { organizationId, orgUserId: null }, answeredBy: orgUserId, how: 'link' } as const
  if (answer === 'accept') return accept(tx, answering, (await findOfferIfAny(tx, organizationId, id))!)
  const offer = await lockOffer(tx, organizationId, id)
  await decline(tx, answering, offer!)
  return { reservationId: null, again: false, refused: null }
}

/**
 * Books the place of an offer, as whoever made its entry could, or moves the booking that it moves. Everything happens under
 * the locks of the slots and of the offer. The offer is withdrawn when nobody may book it, the rules refuse it or it costs more by now, when its
 * resource is no longer what was offered, and when the booking to move is flown, or no longer where the plan or the offer found it. The same person
 * accepting again learns the booking.
 */
async function accept(tx: Tx, { by, answeredBy, how }: Answering, seen: Offer): Promise<Accepted> {
  const { organizationId, id } = seen
  const moving = seen.movesId ? await lockEntity(tx, { organizationId }, seen.movesId) : null
  const seats = seatsOf(seen.type, seen.membershipId, seen.instructorId ?? null)
  await lockSlots(tx.db, { resourceIds: seen.resourceId ? [seen.resourceId] : [], seats }, { planOnce: true })
  const entry = seen.entryId ? await lockEntryIfAny(tx, organizationId, seen.entryId) : null
  const offer = (await lockOffer(tx, organizationId, id))!
  if (offer.status === 'accepted') return { reservationId: offer.reservationId ?? null, again: true, refused: null }
  assertIsOpen(offer, tx.now)
  const asked = offer.source === 'recovery' ? await findAsked(tx, offer) : null
  const whose = { organizationId, orgUserId: offer.membershipId, type: offer.type }
  const principal = await principalOf(tx, { ...whose, makerId: entry?.createdBy ?? asked?.askerId ?? null })
  // What is flown does not move.
  const isFlown = moving?.rampedOutAt != null
  const stands = offer.source === 'recovery' ? asked !== null : !(moving?.live && (await isMovedSince(tx.db, offer)))
  if (!principal || isFlown || !stands || (await isOtherNow(tx.db, offer))) {
    return withdraw(tx, by, offer, waitlistErrors.offerEnded({}, { status: 'withdrawn' }))
  }
  try {
    // An entry goes on without the booking that it moves when that is cancelled.
    const movesId = moving?.live ? moving.id : null
    const reservationId = await book(tx, principal, offer, { movesId, seats })
    const after = { offerId: id, onBehalfOf: offer.membershipId, how: how ?? undefined }
    emit(tx, by, { kind: 'reservation.offer_accepted', subject: { kind: 'reservation', id: reservationId }, after })
    await endOffer(tx, by, offer, 'accepted', { answeredBy, how, reservationId })
    if (entry?.status === 'waiting') endEntry(tx, by, entry, 'booked', reservationId)
    return { reservationId, again: false, refused: null }
  } catch (error) {
    if (!(error instanceof AppError) || (error.status >= 409 && error.code !== 'OFFER_ENDED')) throw error
    return withdraw(tx, by, offer, error)
  }
}

async function withdraw(tx: Tx, by: Answering['by'], offer: Offer, refused: AppError): Promise<Accepted> {
  await endOffer(tx, by, offer, 'withdrawn', { cause: 'refused', rules: rulesOf(refused.details) })
  return { reservationId: null, again: false, refused }
}

/** Throws the refusal of an accepted offer, if there is one. */
export function assertAccepted({ refused }: Accepted): void {
  if (refused) throw refused
}

/** Creates the booking of an offer, or moves a booking to its place. Returns the id of the booking. */
async function book(
  tx: Tx,
  principal: Actor,
  offer: Offer,
  { movesId, seats }: { movesId: number | null; seats: SeatInput[] },
): Promise<number> {
  const { type, startsAt: start, endsAt: end, id: offerId, estimatedCents: mostCents } = offer
  const resourceId = offer.resourceId ?? null
  if (movesId !== null) {
    const sides = offer.instructorId ? [{ side: 'instructors' as const, seats: seats.slice(0, 1) }] : []
    await changeReservation(tx, principal, movesId, { start, end, resourceId, sides, offerId, mostCents })
    return movesId
  }
  const name = await nameOfMember(tx.db, offer.organizationId, offer.membershipId)
  const { ids } = await createReservation(tx, principal, {
    ...bookingAt({ type, start, end, resourceId }, principal, seats),
    id: null,
    title: defaultTitle(type, name),
    notes: null,
    prepaidAmountCents: null,
    offerId,
    mostCents,
  })
  return ids[0]!
}

function rulesOf(details: ErrorDetails | undefined): string[] {
  const problems = (details?.problems as { rule?: string }[] | undefined) ?? []
  return [...new Set(problems.flatMap(({ rule }) => rule ?? []))]
}
