import { shortened } from '../../../platform/kernel/text.ts'
import type { Message } from './message.ts'

/** An announcement as its template needs it. */
export interface AnnouncementTemplateData {
  id: number
  title: string
  body: string
  author: string
}

/** Characters of the body in the app; the announcement itself has the full text. */
const GLANCE = 500

/** To the audience. The mail has the full text. */
export function announcementPublished({ id, title, body, author }: AnnouncementTemplateData): Message {
  return {
    title,
    body: shortened(body, GLANCE),
    data: { announcementId: id },
    mail: { paragraphs: [...body.split(/\n+/), `Announced by ${author}.`], action: null },
  }
}
