import type { Membership } from '../../identity/members/membership.entity.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { detachCardsLeft } from './autopay.jobs.ts'
import { findCustomersOf } from './autopay.queries.ts'
import { stopCharges } from './charge.access.ts'

/** Whether invoices are charged to the member's card, and up to how many cents an invoice, and twice that a day. */
export interface AutopayChanges {
  autopay?: boolean | undefined
  autopayMaxCents?: Cents | undefined
}

/**
 * Switches autopay of a member. Only the member switches it on and sets the limit, with a fresh proof that the endpoint
 * asks for; admins only switch it off, which ends the charges that were to be tried. To switch it on again takes in the cards that somebody else’s page saved since.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 * @throws Forbidden when somebody else would switch it on or change the limit.
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
  const { organizationId, id, processorKey: key } = member
  await stopCharges(tx, { organizationId, orgUserId: id })
  member.autopay = false
  const customers = await findCustomersOf(tx.db, { organizationId, orgUserId: id })
  for (const { account, processorCustomerId } of customers) {
    tx.enqueue(detachCardsLeft, { organizationId, account, customer: { key: key ?? '', processorCustomerId } })
  }
}

function termsOf({ autopay, autopayMaxCents }: Membership) {
  return { autopay, autopayMaxCents }
}
