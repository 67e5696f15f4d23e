import { timingSafeEqual } from 'node:crypto'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import { isId } from '../../platform/kernel/units.ts'
import { type NotificationKind, notificationKinds } from './notification-kinds.rules.ts'

/** The member and the kind of notification whose mail a link turns off. */
export interface Unsubscribed {
  organizationId: number
  orgUserId: number
  kind: NotificationKind
}

/** Stands in a token in the place of a member, for all mail to an address. */
const ALL = 'all'

/**
 * The kinds without an unsubscribe link: the first mail about an invoice, and mails that ask the recipient to act or to
 * check something.
 */
const kept: readonly NotificationKind[] = [
  'invoice_raised',
  'review_needed',
  'record_to_countersign',
  'confirmed_on_behalf',
]

/**
 * Returns the token of a link that turns off the mails of one kind to one member; null for a kind without such a link.
 */
export function unsubscribeToken(mailTokens: MailTokens, { organizationId, orgUserId, kind }: Unsubscribed) {
  if (kept.includes(kind)) return null
  const named = `${organizationId}.${orgUserId}.${kind}`
  return `${named}.${signed(mailTokens, named)}`
}

/** Returns the member and the kind whose mails a link turns off; null when this service did not sign its token. */
export function readUnsubscribeToken(mailTokens: MailTokens, token: string): Unsubscribed | null {
  const [organizationId, orgUserId, kind, signature = ''] = token.split('.')
  const expected = Buffer.from(signed(mailTokens, `${organizationId}.${orgUserId}.${kind}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const known = notificationKinds.find((one) => one === kind)
  const ids = { organizationId: Number(organizationId), orgUserId: Number(orgUserId) }
  return known && isId(ids.organizationId) && isId(ids.orgUserId) ? { ...ids, kind: known } : null
}

/** Returns the token of a link that unsubscribes an address (given by its hash) from all mail of an organization. */
export function endingToken(mailTokens: MailTokens, organizationId: number, addressHash: string): string {
  const named = `${organizationId}.${ALL}.${addressHash}`
  return `${named}.${signed(mailTokens, named)}`
}

/**
 * Returns the organization, and the hash of the address, whose mail a link ends; null when this service did not sign
 * its token.
 */
export function readEndingToken(
  mailTokens: MailTokens,
  token: string,
): { organizationId: number; addressHash: string } | null {
  const [organizationId, all, addressHash = '', signature = ''] = token.split('.')
  if (all !== ALL) return null
  const expected = Buffer.from(signed(mailTokens, `${organizationId}.${all}.${addressHash}`))
  const given = Buffer.from(signature)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs && isId(Number(organizationId)) ? { organizationId: Number(organizationId), addressHash } : null
}

function signed(mailTokens: MailTokens, named: string): string {
  return mailTokens.tokenOf(`unsubscribe ${named}`)
}
