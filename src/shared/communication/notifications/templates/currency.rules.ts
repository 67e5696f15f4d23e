import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

/** The facts of a member's currency for its message. Its last day is a day in `zone`. */
export interface CurrencyTemplateData {
  currencyId: number
  name: string
  kind: string
  /** The first instant after the last day. */
  expiresAt: Date
  /** Whether bookings are refused to a member who is not current. */
  blocking: boolean
  zone: string
}

/** A currency that staff recorded for themselves. */
export interface SelfRecordedTemplateData {
  id: number
  name: string
  currency: string
}

/** Returns the message to the admins about a currency that a member of staff recorded for themselves. */
export function currencySelfRecorded({ id, name, currency }: SelfRecordedTemplateData): Message {
  const sentence = `${name} recorded a date of “${currency}” for themselves. Please check it.`
  return {
    title: `${name} recorded their own currency: ${currency}`,
    body: sentence,
    data: { currencyId: id },
    mail: { paragraphs: [sentence], action: null },
  }
}

/** A currency that somebody ended before its recorded end; `on` is null when it began again. */
export interface EndedTemplateData {
  orgUserId: number
  currencyId: number
  name: string
  currency: string
  on: string | null
}

/**
 * Returns the message to the member and the admins that a currency ended before its recorded end, or began again. A locked
 * screen shows the title and the body, so only the mail names the currency. No message has the reason.
 */
export function currencyEnded({ orgUserId, currencyId, name, currency, on }: EndedTemplateData): Message {
  const happened = on === null ? 'began again' : 'ended'
  const day = on === null ? '' : ` on ${dayInWords(new Date(`${on}T12:00:00Z`), 'UTC')}`
  return {
    title: `A currency of ${name} ${happened}`,
    body: 'Sign in to see which one.',
    data: { currencyId, orgUserId },
    mail: { paragraphs: [`The currency “${currency}” of ${name} ${happened}${day}.`], action: null },
  }
}

/** The kinds of currency that flying renews. */
const flown: ReadonlySet<string> = new Set([
  'recent_flights',
  'hours_in_model',
  'passenger_day',
  'passenger_night',
  'instrument',
])

/**
 * Returns the message to the member before a currency expires: the last day, whether flights renew it, and whether
 * bookings are refused afterwards.
 */
export function currencyExpiring({ currencyId, name, kind, expiresAt, blocking, zone }: CurrencyTemplateData): Message {
  const flights = flown.has(kind)
  const until = dayInWords(new Date(expiresAt.getTime() - 1), zone)
  const sentences = [
    `Your currency “${name}” expires on ${until}${flights ? ' unless you fly again by then' : ''}.`,
    ...(blocking ? ['Bookings after it are refused until it is renewed.'] : []),
  ]
  return {
    title: `${name} expires on ${until}`,
    body: sentences.join(' '),
    data: { currencyId },
    mail: { paragraphs: sentences, action: null },
  }
}
