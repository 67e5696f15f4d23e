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

/** Writes a credit note of a locked invoice with the next number of its series, and takes it off the invoice. */
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
 * Credits what is still due on a locked invoice that is partly paid, whose booking is cancelled: nothing is due then, and
 * what was paid is owed back.
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
 * Credits what the payment gateway gave back on a locked invoice without a credit note, as when its booking was
 * cancelled: at most what is left of the invoice. What is invoiced, credited, paid and refunded then adds up, and what is
 * due stays as it was. What went back beyond that was the payer's credit: it is the refund of the credit notes that left it.
 */
export async function creditRefunded(tx: Tx, invoice: Invoice, refundedCents: Cents, reason: string): Promise<void> {
  const left = minus(invoice.totalCents, invoice.creditedCents ?? ZERO)
  const amountCents = refundedCents < left ? refundedCents : left
  // Before the credit that is written for the rest, which is no earlier one.
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
 * Notes what the gateway gave back by itself on the credit notes that have not given back all of theirs, oldest first. Nobody
 * asked for it here.
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
 * Brings a locked, unpaid invoice at the payment gateway to what is left of it after a credit. When nothing is left, it
 * is void, or paid when a part of it was paid.
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
