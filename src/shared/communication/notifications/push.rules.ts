import { shortened } from '../../platform/kernel/shortened.ts'
import type { NotificationKind } from './kinds.ts'
import type { Message } from './templates/message.ts'

/** A phone shows no more of them, and the whole push must stay below 4 KB, at up to three bytes a character. */
const TITLE_LENGTH = 200
const BODY_LENGTH = 500

/** What a push says of a message: no more than fits, and the kind and the ids as text. */
export function pushOf(
  kind: NotificationKind,
  { title, body, data }: Message,
): { title: string; body: string; data: Record<string, string> } {
  const ids = Object.entries(data).map(([name, id]) => [name, String(id)])
  return {
    title: shortened(title, TITLE_LENGTH),
    body: shortened(body, BODY_LENGTH),
    data: { kind, ...Object.fromEntries(ids) },
  }
}
