import { shortened } from '../../../platform/kernel/shortened.ts'
import type { Message } from './message.ts'

/** An announcement as its audience is told of it. */
export interface AnnouncementToTell {
  id: number
  title: string
  body: string
  author: string
}

/** What the app shows at a glance; the announcement itself has the rest. */
const GLANCE = 500

/** To its audience: what it says, all of it in a mail. */
export function announced({ id, title, body, author }: AnnouncementToTell): Message {
  return {
    title,
    body: shortened(body, GLANCE),
    data: { announcementId: id },
    mail: { paragraphs: [...body.split(/\n+/), `Announced by ${author}.`], action: null },
  }
}
