import type { GatewayInvoice, GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { minus, sum } from '../../platform/kernel/units.ts'
import { creditUnpaid } from '../credit-notes/write-credit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { assertStands } from '../packages/package.access.ts'
import { addGatewayPayments } from '../payments/add-gateway-payments.ts'
import { addPayment, latestMethod, paymentsOf } from '../payments/payment.access.ts'
import { noteAsked } from './emit-asked.ts'
import { nextInvoiceNumber } from './invoice.access.ts'
import { stateAfter } from './invoice.states.ts'
import { isReplaced } from './payer.queries.ts'

/**
 * Updates a locked invoice to the status that was read from the gateway. `payments`: the payments at the gateway, which are read for
 * every paid invoice. An invoice that was paid there after it was void here becomes paid only when no other invoice replaced it and it
 * was not refunded. When another invoice replaced it, the double payment is stored as an error. The void reason is kept, so that the
 * invoice becomes void again after a refund. An invoice that was voided there after a part of it was paid, or after flights used its
 * package, does not become void: the amount due is credited, and the paid part is kept.
 * Implements docs/decisions/0011.
 */
export async function syncFromGateway(
  tx: Tx,
  invoice: Invoice,
  at: GatewayInvoice,
  payments: GatewayMoney['payments'],
): Promise<void> {
  if (at.status !== 'draft') {
    invoice.gatewayInvoiceId = at.gatewayInvoiceId
    invoice.payUrl = at.payUrl ?? invoice.payUrl ?? null
    invoice.pdfUrl = at.pdfUrl ?? invoice.pdfUrl ?? null
  }
  const next = stateAfter(invoice.status, at.status)
  if (next === null) return
  const wasUnpaid = invoice.status === 'pending' || invoice.status === 'open'
  if (!wasUnpaid && invoice.refundedAt) return
  if (!wasUnpaid && (await isReplaced(tx.db, invoice))) {
    invoice.gatewayError = 'Paid at the payment processor after it was void here, and another invoice took its place.'
    return
  }
  if (next === 'void' && (await assertStands(tx, invoice))) {
    await creditUnpaid(tx, { orgUserId: null }, invoice, `The invoice was ${endedThere(at)}`)
    return
  }
  const { organizationId } = invoice
  if (next !== 'void') {
    invoice.gatewayError = null
    invoice.number ??= await nextInvoiceNumber(tx, organizationId)
  }
  const by = { organizationId, orgUserId: null }
  const about = { kind: 'invoice', id: invoice.id } as const
  if (next === 'void') emit(tx, by, { kind: 'invoice.voided', subject: about, before: { status: invoice.status } })
  else if (invoice.status === 'pending') await noteAsked(tx, invoice)
  invoice.status = next
  if (next === 'paid') {
    tx.em.assign(invoice, { paidAt: at.paidAt ?? tx.now, voidedAt: null })
    await addGatewayPayments(tx, invoice, { invoice: at, payments })
    await addRest(tx, invoice, at)
    const settlement = invoice.gatewayPaidCents ? 'processor' : 'offline'
    const paymentMethod = invoice.paymentMethod ?? (await latestMethod(tx, invoice))
    tx.em.assign(invoice, { settlement, paymentMethod })
    emit(tx, by, { kind: 'invoice.paid', subject: about, after: { settlement } })
  }
  if (next === 'void') {
    invoice.voidedAt = tx.now
    invoice.voidReason = endedThere(at)
  }
}

function endedThere({ status }: GatewayInvoice): string {
  return status === 'void' ? 'voided at the processor' : 'marked uncollectible at the processor'
}

/**
 * Adds the part of a paid gateway invoice for which there is no payment: somebody marked the invoice as paid there, or the payer had a
 * balance there. It is an offline payment, so it cannot be refunded to a card.
 */
async function addRest(tx: Tx, invoice: Invoice, at: GatewayInvoice): Promise<void> {
  const { gatewayInvoiceId, totalCents } = at
  const known = await paymentsOf(tx, invoice, at)
  const amountCents = minus(totalCents, sum(known.map((one) => one.amountCents)))
  if (amountCents <= 0) return
  const received = { way: 'offline', method: 'other', amountCents, receivedAt: at.paidAt ?? tx.now } as const
  addPayment(tx, invoice, { ...received, gatewayInvoiceId, recordedBy: null })
  const { organizationId, id } = invoice
  const after = { amountCents, method: 'other', own: false }
  emit(
    tx,
    { organizationId, orgUserId: null },
    { kind: 'invoice.payment_recorded', subject: { kind: 'invoice', id }, after },
  )
  await tx.em.flush()
}
