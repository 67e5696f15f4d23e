import type { Message } from './message.ts'
import { dayInWords } from './when.rules.ts'

/** A document as people are told of its end, which is a day of the zone. */
export interface DocumentToTell {
  id: number
  title: string
  expiresAt: Date
  expired: boolean
  /** Whether it belongs to the organization rather than to who is told. */
  organizations: boolean
  zone: string
}

/** To the member, or to the admins for the organization's: its end is near, or has passed. */
export function documentExpiring({ id, title, expiresAt, expired, organizations, zone }: DocumentToTell): Message {
  const ends = `${expired ? 'expired' : 'expires'} on ${dayInWords(expiresAt, zone)}`
  const sentences = [
    `${organizations ? 'The organization’s' : 'Your'} document “${title}” ${ends}.`,
    `Please add the new one${expired ? '' : ' in time'}.`,
  ]
  return {
    title: `${title} ${ends}`,
    body: sentences.join(' '),
    data: { documentId: id },
    mail: { paragraphs: sentences, action: null },
  }
}
