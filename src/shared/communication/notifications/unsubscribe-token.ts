import { timingSafeEqual } from 'node:crypto'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import { type NotificationKind, notificationKinds } from './notification-kinds.types.ts'

/** Whose mail of which kind a link turns off. */
export interface Unsubscribed {
  organizationId: number
  orgUserId: number
  kind: NotificationKind
}

/** The kinds whose mail is not turned off from a mail: the first of an invoice, and what its reader has to act on. */
const kept: readonly NotificationKind[] = ['invoice_raised', 'review_needed', 'record_to_countersign']

/** Returns the token of a link that turns off one kind for one member, and nothing else; null for a kind that stays. */
export function unsubscribeToken(mailTokens: MailTokens, { organizationId, orgUserId, kind }: Unsubscribed) {
  if (kept.includes(kind)) return null
  const named = `${organizationId}.${orgUserId}.${kind}`
  return `${named}.${signed(mailTokens, named)}`
}

/** Returns what a link turns off; null when it is none of ours. */
export function readUnsubscribeToken(mailTokens: MailTokens, token: string): Unsubscribed | null {
  const [organizationId, orgUserId, kind, signature = ''] = token.split('.')
  const expected = Buffer.from(signed(mailTokens, `${organizationId}.${orgUserId}.${kind}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const known = notificationKinds.find((one) => one === kind)
  return known ? { organizationId: Number(organizationId), orgUserId: Number(orgUserId), kind: known } : null
}

function signed(mailTokens: MailTokens, named: string): string {
  return mailTokens.tokenOf(`unsubscribe ${named}`)
}
