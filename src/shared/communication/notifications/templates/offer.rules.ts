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
  cause: string | null
  how: string | null
  reservationId: number | null
  seed: string | null
}

/** Returns the message to whom a place is offered. */
export function slotOffered(offer: OfferTemplateData): Message {
  const until = momentInWords(offer.expiresAt, offer.zone)
  const opening = 'A place that you wait for is free.'
  const message = compose(offer, 'A place for you', opening, [
    `Until ${until} it is kept for you or offered to you first.`,
  ])
  const link =
    offer.seed === null ? {} : { link: { label: 'See and answer', page: 'offer' as const, seed: offer.seed } }
  return { ...message, mail: { ...message.mail, ...link } }
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
  refused: () => 'The rules of booking no longer allow it.',
  role_lost: () => 'You no longer have the role that it needs.',
}

/** Returns the message to the person of an offer that was withdrawn. `by`: the name of who of the staff did it, or `Another member`. */
export function offerWithdrawn({ by, ...offer }: OfferTemplateData & { by: string }): Message {
  const why = withdrawals[offer.cause ?? '']?.(by) ?? 'It no longer holds.'
  return compose(offer, 'An offer is withdrawn', `The place is no longer offered to you. ${why}`, [])
}

const ways: Readonly<Record<string, string>> = {
  counter: ' The desk accepted it in your name, at the counter.',
  link: ' It was accepted by the link of your mail.',
  message: ' The desk accepted it in your name, after your message.',
  phone: ' The desk accepted it in your name, after your call.',
}

/** Returns the message to who is booked by an accepted offer. */
export function waitlistBooked(offer: OfferTemplateData): Message {
  return compose(offer, 'You are booked', `The offer is accepted: you are booked.${ways[offer.how ?? ''] ?? ''}`, [])
}

function compose(offer: OfferTemplateData, headline: string, opening: string, remarks: string[]): Message {
  const { id, reservationId, start, end, zone, resource, instructor } = offer
  const when = spanInWords(start, end, zone)
  const facts = [when, ...(resource ? [resource] : []), ...(instructor ? [`with ${instructor}`] : []), ...remarks]
  return {
    title: `${headline}: ${when}`,
    body: [opening, facts.join(' · ')].join(' '),
    data: { offerId: id, ...(reservationId !== null && { reservationId }) },
    mail: { paragraphs: [opening, ...facts], action: null },
  }
}

const endings: Readonly<Record<string, string>> = {
  flown: 'the booking that it wanted to move was flown.',
  over: 'its last time is over.',
  role_lost: 'you no longer have the role that it needs.',
  silent: 'three offers in a row had no answer. You can enter yourself again.',
}

/** Returns the message to who is off the waiting list. */
export function waitlistEnded({ id, cause }: { id: number; cause: string }): Message {
  const text = `Your entry of the waiting list has ended: ${endings[cause] ?? 'it was closed.'}`
  return {
    title: 'You no longer wait',
    body: text,
    data: { waitlistEntryId: id },
    mail: { paragraphs: [text], action: null },
  }
}
