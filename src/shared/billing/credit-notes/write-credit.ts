import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { issueAgain } from '../invoices/change-invoice.ts'
import { nextCreditNumber } from '../invoices/invoice.access.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { voidAtGateway } from '../invoices/invoices.jobs.ts'
import { CreditNote, type Invoice } from '../invoices.tables.ts'
import { followPurchase } from '../packages/package.access.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import { taxOfCredit } from './credit.rules.ts'
import { findCreditsAtGateway } from './credit-note.access.ts'
import { findCreditedTax } from './credit-note.queries.ts'

type CreditToWrite = Pick<
  CreditNote,
  'items' | 'amountCents' | 'reason' | 'refund' | 'refundStatus' | 'refundCents' | 'createdBy'
> & { refundedCents?: Cents; refundedAt?: Date }

/** Writes a credit note of a locked invoice with the next number of its series, and adds it to the invoice's credited amount. */
export async function writeCredit(tx: Tx, invoice: Invoice, credit: CreditToWrite): Promise<CreditNote> {
  const { organizationId, id: invoiceId } = invoice
  const number = await nextCreditNumber(tx, organizationId)
  const taxCents = invoice.taxCents ? await taxWithin(tx, invoice, credit) : ZERO
  const note = tx.em.create(CreditNote, { organizationId, invoiceId, number, ...credit, taxCents })
  invoice.creditedCents = plus(invoice.creditedCents ?? ZERO, credit.amountCents)
  await followPurchase(tx, invoice)
  await tx.em.flush()
  return note
}

async function taxWithin(tx: Tx, invoice: Invoice, credit: CreditToWrite): Promise<Cents> {
  const { totalCents, taxCents = ZERO, creditedCents = ZERO } = invoice
  return taxOfCredit({ totalCents, taxCents, creditedCents }, await findCreditedTax(tx.db, invoice), credit)
}

/**
 * Credits the amount due of a locked invoice that is partly paid and whose booking is cancelled. Afterwards nothing is due, and the
 * paid amount is owed back to the payer.
 */
export async function creditUnpaid(
  tx: Tx,
  { orgUserId }: { orgUserId: number | null },
  invoice: Invoice,
  reason: string,
): Promise<void> {
  const amountCents = balanceOf(figuresByWay(invoice))
  const credit = { items: [], amountCents, reason, createdBy: orgUserId }
  const note = await writeCredit(tx, invoice, { ...credit, refund: 'none', refundStatus: 'none', refundCents: ZERO })
  noteCredited(tx, orgUserId, invoice, note)
  followCredit(tx, invoice)
}

/**
 * Credits an amount that the payment gateway refunded on a locked invoice without a credit note, for example after its booking was
 * cancelled; at most the amount that is left of the invoice. The invoiced, credited, paid and refunded amounts then add up, and the
 * amount due does not change. The rest of the refund was the payer's credit: it is stored as the refund of earlier credit notes.
 */
export async function creditRefunded(tx: Tx, invoice: Invoice, refundedCents: Cents, reason: string): Promise<void> {
  const left = minus(invoice.totalCents, invoice.creditedCents ?? ZERO)
  const amountCents = refundedCents < left ? refundedCents : left
  // Runs before the new credit note is written, so that the new note does not count as an earlier one.
  await refundEarlier(tx, invoice, minus(refundedCents, amountCents))
  if (amountCents <= 0) return
  const refund = { refund: 'processor', refundStatus: 'succeeded', refundCents: amountCents } as const
  const credit = {
    items: [],
    amountCents,
    reason,
    createdBy: null,
    ...refund,
    refundedCents: amountCents,
    refundedAt: tx.now,
  }
  noteCredited(tx, null, invoice, await writeCredit(tx, invoice, credit))
}

/**
 * Stores a refund that the gateway made by itself on the credit notes that are not refunded in full, oldest first. Nobody requested
 * this refund here.
 */
async function refundEarlier(tx: Tx, invoice: Invoice, refundedCents: Cents): Promise<void> {
  const { organizationId, id } = invoice
  let rest = refundedCents
  for (const note of rest > 0 ? await findCreditsAtGateway(tx, invoice) : []) {
    const before = note.refundedCents ?? ZERO
    const left = minus(note.amountCents, before)
    const part = left < rest ? left : rest
    if (part <= 0) continue
    rest = minus(rest, part)
    const givenBack = plus(before, part)
    tx.em.assign(note, {
      refund: 'processor',
      refundStatus: 'succeeded',
      refundCents: givenBack,
      refundedCents: givenBack,
      ...(before === 0 && { refundedAt: tx.now, refundBy: null, refundAskedAt: tx.now }),
    })
    const after = { number: note.number, refund: 'processor', refundCents: part, own: false, ownPayment: false }
    const subject = { kind: 'invoice', id } as const
    emit(tx, { organizationId, orgUserId: null }, { kind: 'invoice.credit_refunded', subject, after })
  }
}

function noteCredited(tx: Tx, orgUserId: number | null, { organizationId, id }: Invoice, note: CreditNote): void {
  const { number, amountCents, refund, refundCents, reason } = note
  const after = { number, amountCents, refund, refundCents, own: false, ownPayment: false }
  emit(tx, { organizationId, orgUserId }, { kind: 'invoice.credited', subject: { kind: 'invoice', id }, after, reason })
}

/**
 * Replaces a locked, unpaid invoice at the payment gateway by an invoice of the amount that is due after a credit. When nothing is due,
 * the invoice becomes void, or paid when a part of it was paid.
 */
export function followCredit(tx: Tx, invoice: Invoice): void {
  const { organizationId, id: invoiceId } = invoice
  if (balanceOf(figuresByWay(invoice)) > 0) {
    issueAgain(tx, invoice)
    return
  }
  if (invoice.amountPaidCents) {
    const settlement = invoice.gatewayPaidCents ? 'processor' : 'offline'
    tx.em.assign(invoice, { status: 'paid', paidAt: tx.now, paymentMethod: 'other', settlement })
  } else tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: 'credited' })
  invoice.gatewayError = null
  tx.enqueue(voidAtGateway, { organizationId, invoiceId })
}
