import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { minus } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { MOST_AT_GATEWAY_CENTS, outOfBounds } from '../flight-bill/charges.rules.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import type { TaxedLine } from '../flight-bill/flight-bill.types.ts'
import { PACKAGE_CREDIT } from '../flight-bill/packages.rules.ts'
import { taxLines } from '../flight-bill/taxes.rules.ts'
import type { Invoice } from '../invoices.tables.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { findPurchaseOf } from '../packages/package.access.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import type { OutsideMethod } from '../payments/payment.rules.ts'
import { noteReissued } from './emit-asked.ts'
import { newInvoiceKey } from './gateway-keys.ts'
import { insertItems, lockUnpaid, taxTermsOf } from './invoice.access.ts'
import { findItems } from './invoice.queries.ts'
import { balanceOf } from './invoice-figures.rules.ts'
import { issueAtGateway, voidAtGateway } from './invoices.jobs.ts'
import { type ItemInput, itemNames, linesOf, tooLittle } from './items.rules.ts'
import { markPaid } from './mark-paid.ts'
import { findBilledBetween } from './payer.access.ts'

export interface InvoiceChanges {
  /** The complete new set of lines. */
  items?: readonly ItemInput[] | undefined
  memo?: string | null | undefined
  dueAt?: Date | null | undefined
  /** How the invoice was paid outside the payment gateway. */
  paidBy?: OutsideMethod | undefined
}

/**
 * Changes an unpaid invoice, or marks it paid. New lines replace the invoice at the payment gateway: the old one is
 * voided and a new one raised, under the same invoice number.
 * Implements interface §Invoices.
 */
export async function changeInvoice(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: InvoiceChanges,
): Promise<{ id: number; raisedAgain: boolean }> {
  const invoice = await lockUnpaid(tx, actor, id)
  if (changes.paidBy) {
    await markPaid(tx, actor, invoice, { method: changes.paidBy })
    return { id, raisedAgain: false }
  }
  const before = termsOf(invoice)
  if (changes.memo !== undefined) invoice.memo = changes.memo
  if (changes.dueAt !== undefined && changes.dueAt?.getTime() !== invoice.dueAt?.getTime()) {
    invoice.dueAt = changes.dueAt
    invoice.reminderStage = 0
  }
  const replaced = changes.items ? await replaceLines(tx, actor, invoice, changes.items) : false
  await noteChanged(tx, actor, invoice, before)
  if (replaced) issueAgain(tx, invoice)
  return { id, raisedAgain: replaced }
}

function termsOf({ totalCents, dueAt = null }: Invoice) {
  return { totalCents, dueAt: dueAt?.toISOString() ?? null }
}

/**
 * Emits an event when the total or the due date of an invoice changed. Mails all owners when an admin lowered the total of the
 * admin's own invoice.
 */
async function noteChanged(tx: Tx, actor: Actor, invoice: Invoice, before: ReturnType<typeof termsOf>): Promise<void> {
  const after = termsOf(invoice)
  if (after.totalCents === before.totalCents && after.dueAt === before.dueAt) return
  const own = invoice.membershipId === actor.orgUserId
  const subject = { kind: 'invoice', id: invoice.id } as const
  emit(tx, actor, { kind: 'invoice.changed', subject, before, after: { ...after, own } })
  const amountCents = minus(before.totalCents, after.totalCents)
  if (!own || amountCents <= 0) return
  await notifyOwnersOfOwnMoney(tx, actor, { what: 'lowered', amountCents, currency: invoice.currency })
}

/**
 * Replaces the lines of a locked, unpaid invoice, which is then raised by the actor. What the payer agreed to pay from the account, or
 * was told of, holds up to the former total. Returns false when the lines are the same as before.
 */
async function replaceLines(tx: Tx, actor: Actor, invoice: Invoice, items: readonly ItemInput[]): Promise<boolean> {
  if (invoice.creditedCents) throw billingErrors.hasCredits()
  if (invoice.amountPaidCents) throw billingErrors.partlyPaid()
  const present = await findItems(tx.db, invoice)
  if (present.some(({ kind }) => kind === PACKAGE_CREDIT)) throw billingErrors.packageApplied()
  if (await findPurchaseOf(tx, invoice)) throw billingErrors.packagePriced()
  const { lines: net, problems } = linesOf(items, present, MOST_AT_GATEWAY_CENTS)
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
  const { lines, totalCents, taxCents, taxes } = taxLines(net, await taxTermsOf(tx, actor, invoice))
  const small = tooLittle(totalCents)
  const wrong = small ? [small] : outOfBounds(lines, MOST_AT_GATEWAY_CENTS, itemNames, taxCents)
  if (wrong.length > 0) throw invalidFields(wrong)
  if (sameLines(present, lines)) return false
  await replaceItems(tx, invoice, lines)
  if (totalCents > invoice.totalCents) invoice.ledgerFrom = null
  tx.em.assign(invoice, { totalCents, taxCents, taxes, raisedBy: actor.orgUserId })
  return true
}

/**
 * Replaces a locked, unpaid invoice at the payment gateway after its amount changed: voids the earlier gateway invoice and raises a new
 * one with another pay link. An amount that is too small for the gateway is not raised: the invoice stays open without a pay link and
 * is paid outside of the gateway. Returns whether it is raised. Implements docs/decisions/0011.
 */
export function issueAgain(tx: Tx, invoice: Invoice): boolean {
  const { organizationId, id } = invoice
  const revision = invoice.revision ?? 0
  const raised = balanceOf(figuresByWay(invoice)) >= LEAST_SHARE_CENTS
  tx.em.assign(invoice, {
    status: raised ? 'pending' : 'open',
    revision: revision + 1,
    gatewayKeys: [...(invoice.gatewayKeys ?? []), newInvoiceKey()],
    gatewayInvoiceId: null,
    gatewayError: raised ? null : TOO_LITTLE,
    payUrl: null,
    pdfUrl: null,
  })
  tx.enqueue(voidAtGateway, { organizationId, invoiceId: id, revision })
  if (raised) tx.enqueue(issueAtGateway, { organizationId, invoiceId: id, revision: revision + 1 })
  else noteReissued(tx, invoice)
  return raised
}

const TOO_LITTLE = 'The amount due is less than the payment processor collects, so it must be paid another way.'

const lineFields = [
  'kind',
  'description',
  'quantityHundredths',
  'unit',
  'unitPrice',
  'amountCents',
  'taxCents',
] as const satisfies (keyof TaxedLine)[]

function sameLines(present: readonly TaxedLine[], lines: readonly TaxedLine[]): boolean {
  return (
    present.length === lines.length &&
    present.every((line, index) => lineFields.every((field) => line[field] === lines[index]?.[field]))
  )
}

/** Replaces the lines of a locked invoice. */
async function replaceItems(tx: Tx, invoice: Invoice, lines: readonly TaxedLine[]): Promise<void> {
  await tx.db
    .deleteFrom('invoice_item')
    .where('organization_id', '=', invoice.organizationId)
    .where('invoice_id', '=', invoice.id)
    .execute()
  await insertItems(tx, invoice, lines)
}

/** Makes invoices between two members who are merged the payer's own, since nobody pays for oneself through another. */
export async function unbillOneself(
  tx: Tx,
  { organizationId, from, into }: { organizationId: number; from: number; into: number },
): Promise<void> {
  for (const invoice of await findBilledBetween(tx, { organizationId, from, into })) invoice.billedForId = null
  await tx.em.flush()
}
