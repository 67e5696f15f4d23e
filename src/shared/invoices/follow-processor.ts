import { LockMode } from '@mikro-orm/core'
import type { ProcessorInvoice } from '../adapters/processor/processor.port.ts'
import type { Tx } from '../db/transaction.ts'
import { notify } from '../notifications/notify.ts'
import { Invoice } from './invoice.entity.ts'
import { nextInvoiceNumber } from './invoice-number.ts'

/** Our invoice, locked until the commit; null when it is gone (its organization was deleted). */
export async function lockInvoice(tx: Tx, organizationId: number, invoiceId: number): Promise<Invoice | null> {
  return tx.em.findOne(Invoice, { organizationId, id: invoiceId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/**
 * Brings our invoice to where the processor has it. It only moves forward, so the processor's answer and its events
 * may come in any order and more than once: pending → open → paid or void, and never back from paid.
 */
export async function followProcessor(tx: Tx, invoice: Invoice, at: ProcessorInvoice): Promise<void> {
  if (at.status === 'draft') return
  const organizationId = invoice.organizationId
  const subject = { organizationId, subjectId: invoice.id, causedBy: null }
  if (invoice.status === 'pending' || invoice.status === 'failed') {
    invoice.status = 'open'
    invoice.processorError = null
    invoice.number ??= await nextInvoiceNumber(tx, organizationId)
    notify(tx, { ...subject, kind: 'invoice_raised' })
  }
  invoice.processorInvoiceId = at.processorInvoiceId
  invoice.payUrl = at.payUrl ?? invoice.payUrl ?? null
  invoice.pdfUrl = at.pdfUrl ?? invoice.pdfUrl ?? null
  if (at.status === 'paid' && invoice.status !== 'paid') {
    invoice.status = 'paid'
    invoice.paidAt = at.paidAt ?? tx.now
    invoice.amountPaidCents = at.totalCents
    invoice.paymentMethod ??= 'card'
    invoice.voidedAt = null
    notify(tx, { ...subject, kind: 'invoice_paid' })
  }
  if ((at.status === 'void' || at.status === 'uncollectible') && invoice.status === 'open') {
    invoice.status = 'void'
    invoice.voidedAt = tx.now
    invoice.voidReason = at.status === 'void' ? 'voided at the processor' : 'marked uncollectible at the processor'
  }
}
