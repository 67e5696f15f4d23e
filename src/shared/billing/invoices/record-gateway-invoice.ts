import type { RaisedInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from './invoice.entity.ts'
import { wasClosedBeforeIssue } from './invoice-to-raise.queries.ts'
import { settleAtGateway, voidAtGateway } from './invoices.jobs.ts'
import { lockInvoice, syncFromGateway } from './sync-from-gateway.ts'

/** One of our invoices, with the lines that it had at that revision. */
interface Raising {
  organizationId: number
  invoiceId: number
  revision: number
}

/**
 * Notes that the processor has the invoice, and under which customer it knows the payer. What changed here meanwhile is
 * made good there: lines that were replaced, a voiding, money that came in another way.
 */
export async function recordGatewayInvoice(tx: Tx, raising: Raising, raised: RaisedInvoice): Promise<void> {
  const { organizationId, invoiceId, revision } = raising
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice) return
  if (revision !== invoice.revision) {
    // The job that the replacing owed may have looked before there was anything to end.
    tx.enqueue(voidAtGateway, raising)
  } else {
    await syncFromGateway(tx, invoice, raised)
    if (raised.status === 'open') enqueueGatewayClosure(tx, invoice)
  }
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

/** The processor refused the invoice for good: it does not stand, and says why. One that had a number is void. */
export async function failInvoice(tx: Tx, raising: Raising, reason: string): Promise<void> {
  const invoice = await lockInvoice(tx, raising.organizationId, raising.invoiceId)
  if (invoice?.status !== 'pending' || invoice.revision !== raising.revision) return
  invoice.processorError = reason
  if (!invoice.number) invoice.status = 'failed'
  else tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: 'refused by the payment processor' })
}

/**
 * Should an earlier run have left something at the processor of lines that were replaced since, or of an invoice that
 * ended here, it is ended there.
 */
export async function closeOrphanedGatewayInvoice(tx: Tx, raising: Raising): Promise<void> {
  const invoice = await lockInvoice(tx, raising.organizationId, raising.invoiceId)
  if (!invoice) return
  if (raising.revision !== invoice.revision) tx.enqueue(voidAtGateway, raising)
  else if (wasClosedBeforeIssue(invoice)) enqueueGatewayClosure(tx, invoice)
}

/** Brings the processor to where an invoice that ended here stands. */
function enqueueGatewayClosure(tx: Tx, invoice: Invoice): void {
  const id = { organizationId: invoice.organizationId, invoiceId: invoice.id }
  if (invoice.status === 'void') tx.enqueue(voidAtGateway, id)
  if (invoice.status === 'paid') tx.enqueue(settleAtGateway, id)
}
