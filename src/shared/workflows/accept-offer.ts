import type { MailTokens } from '../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { ErrorCode } from '../platform/kernel/error-codes.ts'
import { AppError, type ErrorDetails, type Sentence } from '../platform/kernel/errors.ts'
import { defaultTitle } from '../scheduling/booking-requests/request.rules.ts'
import { findAsker } from '../scheduling/recoveries/recovery.queries.ts'
import { lockEntity } from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import type { BookingWarning } from '../scheduling/rules/assert-bookable.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import { type Answering, answeringOf, assertIsOpen, decline } from '../scheduling/waitlist/answer-offer.ts'
import { endEntry, endOffer } from '../scheduling/waitlist/end-offer.ts'
import { bookingAt, principalOf, seatsOf } from '../scheduling/waitlist/judge-place.ts'
import { findOfferOfLink } from '../scheduling/waitlist/offer-link.queries.ts'
import { findOfferIfAny, lockEntryIfAny, lockOffer, nameOfMember } from '../scheduling/waitlist/waitlist.access.ts'
import type { AnsweredHow } from '../scheduling/waitlist/waitlist.states.ts'
import { waitlistErrors } from '../scheduling/waitlist.errors.ts'
import type { Offer } from '../scheduling/waitlist.tables.ts'
import { changeReservation } from './change-reservation.ts'
import { createReservation } from './create-reservation.ts'

/** A refusal that is answered after the commit, because the offer was withdrawn in the same transaction. */
interface Refusal {
  status: number
  message: Sentence
  code: ErrorCode | null
  details: ErrorDetails | null
}

/** What became of accepting: the booking, which may be an earlier one of the same offer, or the refusal of the rules. */
export interface Accepted {
  reservationId: number | null
  again: boolean
  refused: Refusal | null
}

/** Accepts an offer: its person, or desk staff in the person's name. */
export async function acceptOffer(tx: Tx, actor: Actor, id: number, how: AnsweredHow | null): Promise<Accepted> {
  const seen = await findOfferIfAny(tx, actor.organizationId, id)
  const answering = answeringOf(actor, seen, how)
  return accept(tx, answering, seen!)
}

/**
 * Answers an offer by the token of its mailed link, which signs nobody in.
 * @throws NotFound for a token that is unknown or has ended
 */
export async function answerOfferLink(
  tx: Tx,
  mailTokens: MailTokens,
  { token, answer }: { token: string; answer: 'accept' | 'decline' },
): Promise<Accepted> {
  const { id, organizationId, orgUserId } = await findOfferOfLink(tx.db, mailTokens.hashOf(token))
  // Nobody is signed in, so that the person is told of it.
  const answering = { by: { organizationId, orgUserId: null }, answeredBy: orgUserId, how: 'link' } as const
  if (answer === 'accept') return accept(tx, answering, (await findOfferIfAny(tx, organizationId, id))!)
  const offer = await lockOffer(tx, organizationId, id)
  await decline(tx, answering, offer!)
  return { reservationId: null, again: false, refused: null }
}

/**
 * Books the place of an offer, as whoever made its entry could, or moves the booking that it moves. Everything happens under
 * the locks of the slots and of the offer. When the rules refuse the booking by now, the offer is withdrawn. The same person
 * accepting again learns the booking.
 * @throws Conflict OFFER_ENDED when it is no longer open
 */
async function accept(tx: Tx, { by, answeredBy, how }: Answering, seen: Offer): Promise<Accepted> {
  const { organizationId, id } = seen
  if (seen.movesId) await lockEntity(tx, { organizationId }, seen.movesId)
  const seats = seatsOf(seen.type, seen.membershipId, seen.instructorId ?? null)
  await lockSlots(tx.db, { resourceIds: seen.resourceId ? [seen.resourceId] : [], seats }, { planOnce: true })
  const entry = seen.entryId ? await lockEntryIfAny(tx, organizationId, seen.entryId) : null
  const offer = (await lockOffer(tx, organizationId, id))!
  if (offer.status === 'accepted') return { reservationId: offer.reservationId ?? null, again: true, refused: null }
  assertIsOpen(offer, tx.now)
  const whose = { organizationId, orgUserId: offer.membershipId, type: offer.type }
  const principal = await principalOf(tx, { ...whose, makerId: entry?.createdBy ?? (await findAsker(tx.db, offer)) })
  if (!principal) throw waitlistErrors.offerEnded({}, { status: 'withdrawn' })
  try {
    const { reservationId } = await book(tx, principal, offer, seats)
    const after = { offerId: id, onBehalfOf: offer.membershipId, how: how ?? undefined }
    emit(tx, by, { kind: 'reservation.offer_accepted', subject: { kind: 'reservation', id: reservationId }, after })
    await endOffer(tx, by, offer, 'accepted', { answeredBy, how, reservationId })
    if (entry) endEntry(tx, by, entry, 'booked', reservationId)
    return { reservationId, again: false, refused: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 409) throw error
    const { status, code = null, details = null } = error
    const message = error.message as Sentence
    await endOffer(tx, by, offer, 'withdrawn', { cause: 'refused', rules: rulesOf(details) })
    return { reservationId: null, again: false, refused: { status, message, code, details } }
  }
}

/** Throws the refusal of an accepted offer, if there is one. */
export function assertAccepted({ refused }: Accepted): void {
  if (!refused) return
  const { status, message, code, details } = refused
  throw new AppError(status, message, code ?? undefined, details ?? undefined)
}

/** Creates the booking of an offer, or moves the one that it moves. */
async function book(
  tx: Tx,
  principal: Actor,
  offer: Offer,
  seats: SeatInput[],
): Promise<{ reservationId: number; warnings: BookingWarning[] }> {
  const { type, startsAt: start, endsAt: end, id: offerId } = offer
  const resourceId = offer.resourceId ?? null
  if (offer.movesId) {
    const sides = offer.instructorId ? [{ side: 'instructors' as const, seats: seats.slice(0, 1) }] : []
    const { warnings } = await changeReservation(tx, principal, offer.movesId, {
      start,
      end,
      resourceId,
      sides,
      offerId,
    })
    return { reservationId: offer.movesId, warnings }
  }
  const name = await nameOfMember(tx.db, offer.organizationId, offer.membershipId)
  const { ids, warnings } = await createReservation(tx, principal, {
    ...bookingAt({ type, start, end, resourceId }, principal, seats),
    id: null,
    title: defaultTitle(type, name),
    notes: null,
    prepaidAmountCents: null,
    offerId,
  })
  return { reservationId: ids[0]!, warnings: warnings as BookingWarning[] }
}

function rulesOf(details: ErrorDetails | null): string[] {
  const problems = (details?.problems as { rule?: string }[] | undefined) ?? []
  return [...new Set(problems.flatMap(({ rule }) => rule ?? []))]
}
