import type { RaisedInvoice } from '../adapters/processor/processor.port.ts'
import type { Tx } from '../db/transaction.ts'
import { followProcessor, lockInvoice } from './follow-processor.ts'
import type { Invoice } from './invoice.entity.ts'
import { invoiceKey } from './invoice-key.ts'
import { endedUnraised } from './invoice-to-raise.queries.ts'
import { settleAtProcessor, voidAtProcessor } from './invoices.jobs.ts'

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/**
 * Notes that the processor has the invoice, and under which customer it knows the payer. `key` is what it was raised
 * under. What changed here meanwhile is made good there: lines that were replaced, a voiding, money that came in
 * another way.
 */
export async function raisedAtProcessor(
  tx: Tx,
  { key, ...id }: InvoiceId & { key: string },
  raised: RaisedInvoice,
): Promise<void> {
  const invoice = await lockInvoice(tx, id.organizationId, id.invoiceId)
  if (!invoice) return
  if (key === invoiceKey(invoice)) {
    await followProcessor(tx, invoice, raised)
    if (raised.status === 'open') oweEnding(tx, invoice)
  }
  await tx.db
    .insertInto('processor_customer')
    .values({
      organization_id: id.organizationId,
      membership_id: invoice.membershipId ?? null,
      guest_id: invoice.guestId ?? null,
      processor_account: invoice.processorAccount ?? null,
      customer_id: raised.processorCustomerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The processor refused the invoice for good: it does not stand, and says why. One that had a number is void. */
export async function failInvoice(tx: Tx, { key, ...id }: InvoiceId & { key: string }, reason: string): Promise<void> {
  const invoice = await lockInvoice(tx, id.organizationId, id.invoiceId)
  if (invoice?.status !== 'pending' || key !== invoiceKey(invoice)) return
  invoice.processorError = reason
  if (!invoice.number) invoice.status = 'failed'
  else tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: 'refused by the payment processor' })
}

/** Should an earlier run have left something at the processor of an invoice that ended here since, it is ended there. */
export async function tidyUnraised(tx: Tx, { organizationId, invoiceId }: InvoiceId): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (invoice && endedUnraised(invoice)) oweEnding(tx, invoice)
}

/** Brings the processor to where an invoice that ended here stands. */
function oweEnding(tx: Tx, invoice: Invoice): void {
  const id = { organizationId: invoice.organizationId, invoiceId: invoice.id }
  if (invoice.status === 'void') tx.enqueue(voidAtProcessor, id)
  if (invoice.status === 'paid') tx.enqueue(settleAtProcessor, id)
}
