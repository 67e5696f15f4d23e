import type { Message } from './message.ts'
import { dayInWords } from './when.rules.ts'

/** A member's currency as they are told of it; its last day is one of the zone. */
export interface CurrencyToTell {
  currencyId: number
  name: string
  expiresAt: Date
  /** Whether bookings are refused to who is not current. */
  blocking: boolean
  zone: string
}

/** To the member: its last day is near, and what follows from that. */
export function currencyExpiring({ currencyId, name, expiresAt, blocking, zone }: CurrencyToTell): Message {
  const until = dayInWords(expiresAt, zone)
  const sentences = [
    `Your currency “${name}” expires on ${until}.`,
    ...(blocking ? ['Bookings after it are refused until it is renewed.'] : []),
  ]
  return {
    title: `${name} expires on ${until}`,
    body: sentences.join(' '),
    data: { currencyId },
    mail: { paragraphs: sentences, action: null },
  }
}
