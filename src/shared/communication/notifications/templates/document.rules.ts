import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

/** The facts of a document for its message. Its last day is a day in `zone`. */
export interface DocumentTemplateData {
  id: number
  title: string
  expiresAt: Date
  /** True when the document belongs to the organization, false when it belongs to the recipient. */
  organizations: boolean
  zone: string
}

/**
 * Returns the message before a document expires. It goes to the member or, for a document of the organization, to the
 * admins.
 */
export function documentExpiring({ id, title, expiresAt, organizations, zone }: DocumentTemplateData): Message {
  const ends = `expires on ${dayInWords(expiresAt, zone)}`
  const sentences = [
    `${organizations ? 'The organization’s' : 'Your'} document “${title}” ${ends}.`,
    'Please add the new one in time.',
  ]
  return {
    title: `${title} ${ends}`,
    body: sentences.join(' '),
    data: { documentId: id },
    mail: { paragraphs: sentences, action: null },
  }
}
