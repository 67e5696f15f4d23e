import { shortened } from '../../../platform/kernel/text.ts'
import type { Message } from './message.rules.ts'

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

/** A join request as its template needs it. */
export interface JoinRequestTemplateData {
  id: number
  name: string
  organization: string
}

/** To desk staff: a new join request. */
export function joinRequested({ id, name, organization }: JoinRequestTemplateData): Message {
  const sentence = `${name} asks to join ${organization}. An admin can approve or decline the request.`
  return {
    title: `${name} asks to join`,
    body: sentence,
    data: { joinRequestId: id },
    mail: { paragraphs: [sentence], action: null },
  }
}
