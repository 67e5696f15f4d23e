import { z } from 'zod'
import { declineOffer } from '../../../shared/scheduling/waitlist/answer-offer.ts'
import { findOffer, listOffers } from '../../../shared/scheduling/waitlist/offer.queries.ts'
import { findOfferOfLink } from '../../../shared/scheduling/waitlist/offer-link.queries.ts'
import { waitlistErrors } from '../../../shared/scheduling/waitlist.errors.ts'
import { acceptOffer, answerOfferLink, assertAccepted } from '../../../shared/workflows/accept-offer.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { viewReservation } from '../reservations/answer-reservation.ts'
import { Reservation } from '../reservations/reservation.view.ts'
import { bookingFieldErrors, ruleErrorsOfChange } from '../rules/booking-errors.ts'
import { OfferedPlace, offeredPlaceView } from './offered-place.view.ts'
import { OfferAnswerBody, OfferLinkBody, OffersQuery, OfferTokenBody } from './waitlist.schemas.ts'
import { Offer, offerView } from './waitlist.view.ts'

const tag = 'Waiting list'

const ended = [
  waitlistErrors.noSuchOffer,
  waitlistErrors.offerOfOther,
  waitlistErrors.howMissing,
  waitlistErrors.offerEnded,
]

/** The endpoints of offers: places that are kept for one person until an instant. */
export const offerRoutes: Routes = (on) => {
  on.get('/offers', {
    id: 'listOffers',
    access: 'member',
    tag,
    summary: 'List offers',
    description:
      'Lists offers, newest first: desk staff see all, instructors also offers of lessons with them, others their own.',
    query: OffersQuery,
    answers: { 200: envelope(z.array(Offer)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listOffers(db, actor, query.status), query, (row) => offerView(row, actor))),
  })

  on.get('/offers/:id', {
    id: 'readOffer',
    access: 'member',
    tag,
    summary: 'Read an offer',
    description: 'Returns an offer; 404 for callers who may not list it.',
    params: IdParams,
    answers: { 200: envelope(Offer) },
    errors: [waitlistErrors.noSuchOffer],
    read: async ({ db, actor, params }) => ok(offerView(await findOffer(db, actor, params.id), actor)),
  })

  on.post('/offers/:id/accept', {
    id: 'acceptOffer',
    access: 'member',
    tag,
    summary: 'Accept an offer',
    description:
      'Books the place of the offer, or moves the booking of `insteadOf` to it. All booking rules are checked again; ' +
      'when one refuses the booking now, the offer is withdrawn. Desk staff accept in the person’s name and say ' +
      '`how` the person answered. Accepting again returns the booking with 200.',
    params: IdParams,
    body: OfferAnswerBody,
    answers: { 200: envelope(Reservation), 201: envelope(Reservation) },
    errors: [...ended, ...bookingFieldErrors, ...ruleErrorsOfChange],
    write: (tx, { actor, params, body }) => acceptOffer(tx, actor, params.id, body.how ?? null),
    answer: async (accepted, { services, actor }) => {
      assertAccepted(accepted)
      const reservation = await viewReservation(services, actor, accepted.reservationId!)
      return accepted.again ? ok(reservation) : created(reservation)
    },
  })

  on.post('/offers/:id/decline', {
    id: 'declineOffer',
    access: 'member',
    tag,
    summary: 'Decline an offer',
    description:
      'Declines an offer; the place is offered to the next member who waits. The instructor of the offer may decline ' +
      'it too, where `settings.instructorsDecline` is set. Desk staff decline in the person’s name and say `how` the ' +
      'person answered.',
    params: IdParams,
    body: OfferAnswerBody,
    answers: { 200: envelope(Offer) },
    errors: ended,
    write: (tx, { actor, params, body }) => declineOffer(tx, actor, params.id, body.how ?? null),
    answer: async ({ id }, { db, actor }) => ok(offerView(await findOffer(db, actor, id), actor)),
  })

  on.query('/offers/lookup', {
    id: 'lookUpOffer',
    access: 'anyone',
    tag,
    summary: 'Read the offer of a mailed link',
    description:
      'Returns what the page of a mailed link shows, by the token of the link. Changes nothing. A link ends with its offer.',
    body: OfferTokenBody,
    answers: { 200: envelope(OfferedPlace) },
    errors: [waitlistErrors.linkUnknown],
    read: async ({ db, body, services, now }) =>
      ok(offeredPlaceView(await findOfferOfLink(db, services.mailTokens.hashOf(body.token)), now)),
  })

  on.post('/offers/answer', {
    id: 'answerOffer',
    access: 'anyone',
    tag,
    summary: 'Answer the offer of a mailed link',
    description:
      'Accepts or declines an offer with the token of its mailed link, without a sign-in. Accepting again gets the ' +
      'same answer.',
    body: OfferLinkBody,
    answers: { 200: envelope(OfferedPlace) },
    errors: [waitlistErrors.linkUnknown, waitlistErrors.offerEnded, ...bookingFieldErrors, ...ruleErrorsOfChange],
    write: async (tx, { body, services, now }) => {
      const place = await findOfferOfLink(tx.db, services.mailTokens.hashOf(body.token))
      const accepted = await answerOfferLink(tx, services.mailTokens, body)
      const status = body.answer === 'accept' ? ('accepted' as const) : ('declined' as const)
      return { accepted, place: offeredPlaceView({ ...place, status }, now) }
    },
    answer: ({ accepted, place }) => {
      assertAccepted(accepted)
      return ok(place)
    },
  })
}
