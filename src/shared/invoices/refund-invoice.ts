import type { ProcessorInvoice, RefundInvoice } from '../adapters/processor/processor.port.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { followProcessor, lockInvoice } from './follow-processor.ts'
import { refundAtProcessor } from './invoices.jobs.ts'

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/**
 * An invoice as the processor is asked to give its money back; null when it was refunded already. It may be void here:
 * paid after that, when another had taken its place.
 */
export async function findInvoiceToRefund(
  db: Db,
  { organizationId, invoiceId }: InvoiceId,
): Promise<RefundInvoice | null> {
  const invoice = await db
    .selectFrom('invoice')
    .select(['processor_account', 'processor_invoice_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', invoiceId)
    .where('status', 'in', ['paid', 'void'])
    .where('refunded_at', 'is', null)
    .executeTakeFirst()
  if (!invoice?.processor_invoice_id) return null
  return {
    account: invoice.processor_account ?? null,
    processorInvoiceId: invoice.processor_invoice_id,
    key: `ref_${organizationId}_${invoiceId}`,
    amountCents: null,
  }
}

/** Notes how many cents went back. The invoice stays as it is, and says what was refunded of it. */
export async function noteRefund(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  refundedCents: number,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice || invoice.refundedAt) return
  invoice.refundedAt = tx.now
  invoice.refundedCents = refundedCents
  invoice.processorError = null
}

/**
 * The payer was faster than our voiding: the invoice is paid after all, and the money goes back. False when it stays
 * void, since another took its place: its money is to be given back all the same.
 */
export async function refundPaidMeanwhile(tx: Tx, id: InvoiceId, at: ProcessorInvoice): Promise<boolean> {
  const invoice = await lockInvoice(tx, id.organizationId, id.invoiceId)
  if (!invoice) return false
  await followProcessor(tx, invoice, at)
  if (invoice.status !== 'paid') return false
  tx.enqueue(refundAtProcessor, id)
  return true
}

/** The processor will not take the charge back: the invoice says why, for the desk to settle. */
export async function noteProcessorError(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  reason: string,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (invoice) invoice.processorError = reason
}
