import type { Membership } from '../../identity/members.tables.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { detachCardsLeft } from './autopay.jobs.ts'
import { findCustomersOf, type KnownCustomer } from './autopay.queries.ts'
import { stopCharges } from './charge.access.ts'

/** The gateway's pages to save a card are valid for a day; an hour more for those that are just sent. */
const PAGES_VALID_MS = 25 * 3_600_000

/** Whether invoices are charged to the member's card, and up to how many cents an invoice, and twice that a day. */
export interface AutopayChanges {
  autopay?: boolean | undefined
  autopayMaxCents?: Cents | undefined
}

/**
 * Switches autopay of a member. Only the member switches it on and sets the limit, with a fresh proof that the endpoint
 * asks for; admins only switch it off, which ends the charges that were to be tried. To switch it on again takes in the cards that somebody else’s page saved since.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function setAutopay(
  tx: Tx,
  actor: Actor,
  member: Membership,
  { autopay, autopayMaxCents }: AutopayChanges,
): Promise<void> {
  if (autopay === undefined && autopayMaxCents === undefined) return
  const own = member.id === actor.orgUserId
  if (!own && (autopay === true || autopayMaxCents !== undefined)) throw billingErrors.autopayIsOwn()
  if (autopay === false) await stopCharges(tx, { organizationId: member.organizationId, orgUserId: member.id })
  const before = termsOf(member)
  if (autopay !== undefined) member.autopay = autopay
  if (autopay) member.autopayAt = tx.now
  if (autopayMaxCents !== undefined) member.autopayMaxCents = autopayMaxCents
  const subject = { kind: 'member', id: member.id } as const
  emit(tx, actor, { kind: 'autopay.changed', subject, before, after: { ...termsOf(member), own } })
}

/**
 * Ends autopay of a member who leaves with the charges that were to be tried, and has their cards taken away at the payment
 * gateway, in every account.
 */
export async function endCards(tx: Tx, member: Membership): Promise<void> {
  const { organizationId, id: orgUserId } = member
  await stopCharges(tx, { organizationId, orgUserId })
  member.autopay = false
  detachCards(tx, await findCustomersOf(tx.db, { organizationId, orgUserId }))
}

/** Has the cards of all members of an organization taken away at the payment gateway. Call it before the rows are deleted. */
export async function endAllCards(tx: Tx, organizationId: number): Promise<void> {
  detachCards(tx, await findCustomersOf(tx.db, { organizationId }))
}

/** Enqueues the end of cards: now, and again when no page on which one is saved is valid any more. */
function detachCards(tx: Tx, customers: readonly KnownCustomer[]): void {
  const pagesEnded = new Date(tx.now.getTime() + PAGES_VALID_MS)
  for (const { account, ...customer } of customers) {
    tx.enqueue(detachCardsLeft, { account, customer })
    tx.enqueue(detachCardsLeft, { account, customer }, { availableAt: pagesEnded })
  }
}

function termsOf({ autopay, autopayMaxCents }: Membership) {
  return { autopay, autopayMaxCents }
}
