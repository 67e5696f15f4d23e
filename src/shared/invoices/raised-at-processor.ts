import type { RaisedInvoice } from '../adapters/processor/processor.port.ts'
import type { Tx } from '../db/transaction.ts'
import { followProcessor, lockInvoice } from './follow-processor.ts'
import { voidAtProcessor } from './invoices.jobs.ts'

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/** Notes that the processor has the invoice, and under which customer it knows the payer. */
export async function raisedAtProcessor(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  raised: RaisedInvoice,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice) return
  await followProcessor(tx, invoice, raised)
  // It was voided here while the processor was raising it.
  if (invoice.status === 'void' && raised.status === 'open') tx.enqueue(voidAtProcessor, { organizationId, invoiceId })
  await tx.db
    .insertInto('processor_customer')
    .values({
      organization_id: organizationId,
      membership_id: invoice.membershipId ?? null,
      guest_id: invoice.guestId ?? null,
      processor_account: invoice.processorAccount ?? null,
      customer_id: raised.processorCustomerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The processor refused the invoice for good: it does not stand, and says why. */
export async function failInvoice(tx: Tx, { organizationId, invoiceId }: InvoiceId, reason: string): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (invoice?.status !== 'pending') return
  invoice.status = 'failed'
  invoice.processorError = reason
}
