import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

/** A member's currency as its template needs it. Its last day is a day in `zone`. */
export interface CurrencyTemplateData {
  currencyId: number
  name: string
  /** For `recent_flights`: the first instant after the last day. */
  kind: 'expiring' | 'recent_flights'
  expiresAt: Date
  /** Whether bookings are refused to a member who is not current. */
  blocking: boolean
  zone: string
}

/** To the member: the currency expires soon, what renews it, and what follows otherwise. */
export function currencyExpiring({ currencyId, name, kind, expiresAt, blocking, zone }: CurrencyTemplateData): Message {
  const flights = kind === 'recent_flights'
  const until = dayInWords(flights ? new Date(expiresAt.getTime() - 1) : expiresAt, zone)
  const sentences = [
    `Your currency “${name}” expires on ${until}${flights ? ' unless you fly again before' : ''}.`,
    ...(blocking ? ['Bookings after it are refused until it is renewed.'] : []),
  ]
  return {
    title: `${name} expires on ${until}`,
    body: sentences.join(' '),
    data: { currencyId },
    mail: { paragraphs: sentences, action: null },
  }
}
