import { formatMoney } from '../../../platform/kernel/money.ts'
import type { Cents } from '../../../platform/kernel/units.ts'
import type { Message } from './message.rules.ts'
import { momentInWords, spanInWords } from './when.rules.ts'

/** The facts of an offer for its messages. `seed`: of the token of its mailed link; null when it is not open. */
export interface OfferTemplateData {
  id: number
  entryId: number | null
  start: Date
  end: Date
  zone: string
  expiresAt: Date
  resource: string | null
  instructor: string | null
  /** What it costs at most, by estimate; null when that is not known. */
  estimatedCents: Cents | null
  currency: string
  cause: string | null
  how: string | null
  reservationId: number | null
  seed: string | null
  /** The booking that accepting it moves; null when it moves none. */
  moves: { title: string; start: Date; end: Date } | null
  /** Who accepted it in the person's name; null when nobody did. */
  answeredBy: string | null
}

/** Offers in one notification of a person: those that are open. `why`: what they are made for; null for the waiting list. */
export interface OfferedTogether {
  offers: readonly [OfferTemplateData, ...OfferTemplateData[]]
  why: string | null
  isRecovery: boolean
}

/** Returns the message to whom places are offered. The button of the mail answers the first one. */
export function slotOffered({ offers, why, isRecovery }: OfferedTogether): Message {
  const [first] = offers
  const opening = isRecovery
    ? `The school offers you another time, aircraft or instructor for ${offers.length === 1 ? 'one' : `${offers.length}`} of your bookings.`
    : 'A place that you wait for is free.'
  const cause = why === null ? [] : [why]
  const link =
    first.seed === null ? {} : { link: { label: 'See and answer', page: 'offer' as const, seed: first.seed } }
  if (offers.length === 1) {
    const remarks = [...costOf(first), ...movedBy(first), ...cause, keptUntil(first)]
    const message = compose(first, isRecovery ? 'Another place for you' : 'A place for you', opening, remarks)
    return { ...message, mail: { ...message.mail, ...link } }
  }
  const lines = offers.map((offer) =>
    [...factsOf(offer), ...costOf(offer), ...movedBy(offer), keptUntil(offer)].join(' · '),
  )
  return {
    title: `Other places for ${offers.length} of your bookings`,
    body: [opening, ...cause, ...lines.slice(0, 3)].join(' '),
    data: { offerId: first.id },
    mail: {
      paragraphs: [
        opening,
        ...cause,
        ...lines,
        'The button answers the first of them; please answer the others in the app.',
      ],
      action: null,
      ...link,
    },
  }
}

function keptUntil({ expiresAt, zone }: OfferTemplateData): string {
  return `Until ${momentInWords(expiresAt, zone)} it is kept for you or offered to you first.`
}

function costOf({ estimatedCents, currency }: OfferTemplateData): string[] {
  return estimatedCents === null ? [] : [`about ${formatMoney(estimatedCents, currency)}`]
}

function movedBy({ moves, zone }: OfferTemplateData): string[] {
  return moves === null ? [] : [`It takes the place of ${moves.title}, ${spanInWords(moves.start, moves.end, zone)}.`]
}

const withdrawals: Readonly<Record<string, (by: string) => string>> = {
  booked: (by) => `${by} has booked the place.`,
  closed: (by) => `${by} has closed it for that time.`,
  entry_changed: (by) => `${by} has changed what you wait for.`,
  entry_ended: (by) => `${by} has taken you off the waiting list.`,
  impossible: () => 'What it needs is no longer free.',
  order: () => 'Others who wait are asked.',
  own_booking: (by) => `${by} has booked you for that time.`,
  recovery_ended: () => 'The plan that it belongs to has ended.',
  refused: () => 'The rules of booking no longer allow it, or it costs more than the offer said.',
  role_lost: () => 'You no longer have the role that it needs.',
}

/** Returns the message to the person of an offer that was withdrawn. `by`: the name of who of the staff did it, or `Another member`. */
export function offerWithdrawn({ by, ...offer }: OfferTemplateData & { by: string }): Message {
  const why = withdrawals[offer.cause ?? '']?.(by) ?? 'It no longer holds.'
  return compose(offer, 'An offer is withdrawn', `The place is no longer offered to you. ${why}`, [])
}

const ways: Readonly<Record<string, string>> = {
  counter: 'at the counter',
  message: 'after your message',
  phone: 'after your call',
}

/** The notification of somebody in whose name another person agreed to a new place. */
export const UNDO = 'You can cancel it for 24 hours, until 2 hours before its start.'

/** Returns the message to the person whom an accepted offer books. */
export function waitlistBooked(offer: OfferTemplateData): Message {
  return compose(
    offer,
    'You are booked',
    ['The offer is accepted: you are booked.', ...acceptedBy(offer)].join(' '),
    [],
  )
}

function acceptedBy({ how, answeredBy }: OfferTemplateData): string[] {
  if (how === 'link') return ['It was accepted by the link of your mail.']
  const way = ways[how ?? '']
  return way ? [`${answeredBy ?? 'The desk'} accepted it in your name, ${way}. ${UNDO}`] : []
}

function compose(offer: OfferTemplateData, headline: string, opening: string, remarks: string[]): Message {
  const { id, reservationId, start, end, zone } = offer
  const facts = [...factsOf(offer), ...remarks]
  return {
    title: `${headline}: ${spanInWords(start, end, zone)}`,
    body: [opening, facts.join(' · ')].join(' '),
    data: { offerId: id, ...(reservationId !== null && { reservationId }) },
    mail: { paragraphs: [opening, ...facts], action: null },
  }
}

function factsOf({ start, end, zone, resource, instructor }: OfferTemplateData): string[] {
  const when = spanInWords(start, end, zone)
  return [when, ...(resource ? [resource] : []), ...(instructor ? [`with ${instructor}`] : [])]
}

const endings: Readonly<Record<string, string>> = {
  flown: 'the booking that it wanted to move was flown.',
  over: 'its last time is over.',
  role_lost: 'you no longer have the role that it needs.',
  silent: 'three offers in a row had no answer. You can enter yourself again.',
}

/** Returns the message to a person who is off the waiting list. */
export function waitlistEnded({ id, cause }: { id: number; cause: string }): Message {
  const text = `Your entry of the waiting list has ended: ${endings[cause] ?? 'it was closed.'}`
  return {
    title: 'You no longer wait',
    body: text,
    data: { waitlistEntryId: id },
    mail: { paragraphs: [text], action: null },
  }
}
