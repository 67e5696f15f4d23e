import type { Membership } from '../../identity/members.tables.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { detachCardsLeft } from './autopay.jobs.ts'
import { findCustomersOf, type KnownCustomer } from './autopay.queries.ts'
import { stopCharges } from './charge.access.ts'

/** The gateway's pages for saving a card are valid for 24 hours; one hour is added as a margin. */
const PAGES_VALID_MS = 25 * 3_600_000

/** Whether invoices are charged to the member's card, and the limit per invoice in cents. The limit per day is twice that. */
export interface AutopayChanges {
  autopay?: boolean | undefined
  autopayMaxCents?: Cents | undefined
}

/**
 * Switches a member's autopay on or off, and sets its limit. Only the member can switch it on or set the limit; the endpoint requires
 * a fresh proof of identity for that. An admin can switch it off. Switching it off stops the unfinished charges. Switching it on
 * consents to all cards that are saved by then. Implements interface §Members, PATCH /orgUsers/{id}.
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
 * Switches off autopay of a member who leaves, stops the unfinished charges, and enqueues jobs that detach the member's cards in
 * every account at the payment gateway.
 */
export async function endCards(tx: Tx, member: Membership): Promise<void> {
  const { organizationId, id: orgUserId } = member
  await stopCharges(tx, { organizationId, orgUserId })
  member.autopay = false
  detachCards(tx, await findCustomersOf(tx.db, { organizationId, orgUserId }))
}

/** Enqueues jobs that detach the cards of all members at the payment gateway. Call it before the organization's rows are deleted. */
export async function endAllCards(tx: Tx, organizationId: number): Promise<void> {
  detachCards(tx, await findCustomersOf(tx.db, { organizationId }))
}

/** Enqueues two jobs per customer that detach all cards: one now, one when no open page for saving a card is valid any more. */
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
