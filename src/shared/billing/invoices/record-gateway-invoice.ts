import type { GatewayMoney, IssuedInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { startAutopay } from '../autopay/plan-autopay.ts'
import type { Invoice } from '../invoices.tables.ts'
import { assertStands } from '../packages/package.access.ts'
import { notifyOfLedgerPayment } from '../payments/ledger-notice.access.ts'
import { findPaymentsToChange } from '../payments/payment.access.ts'
import { noteAsked } from './emit-asked.ts'
import { lockInvoice } from './invoice.access.ts'
import { recordNotInvoiced } from './invoice-signed-off.ts'
import { wasClosedBeforeIssue } from './invoice-to-issue.queries.ts'
import { settleAtGateway, voidAtGateway } from './invoices.jobs.ts'
import { syncFromGateway } from './sync-from-gateway.ts'

/** The revision of an invoice that a job issues. */
interface Raising {
  organizationId: number
  invoiceId: number
  revision: number
}

/**
 * Stores the gateway's status of an issued invoice, its payments when it is already paid, and its customer id. When the invoice changed
 * here meanwhile (lines replaced, voided, paid in another way), enqueues the job that updates the gateway to the same state.
 * Implements docs/decisions/0011.
 */
export async function recordGatewayInvoice(
  tx: Tx,
  raising: Raising,
  raised: IssuedInvoice,
  payments: GatewayMoney['payments'],
): Promise<void> {
  const { organizationId, invoiceId, revision } = raising
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice) return
  if (revision !== invoice.revision) {
    // The void job of the replacement may have run before the gateway had anything to void.
    tx.enqueue(voidAtGateway, raising)
  } else {
    const knew = invoice.gatewayInvoiceId
    await syncFromGateway(tx, invoice, raised, payments)
    if (raised.status === 'open') enqueueGatewayClosure(tx, invoice, knew)
    if (invoice.status === 'open') {
      notifyOfLedgerPayment(tx, invoice)
      await startAutopay(tx, invoice)
    }
  }
  await tx.db
    .insertInto('gateway_customer')
    .values({
      organization_id: organizationId,
      membership_id: invoice.membershipId ?? null,
      guest_id: invoice.guestId ?? null,
      gateway_account: invoice.gatewayAccount ?? null,
      customer_id: raised.gatewayCustomerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Stores a permanent refusal by the gateway, with its reason. The invoice becomes failed when it has no number, otherwise void. But an
 * invoice with a number stays open without a pay link when a part of it was paid, even if that was reversed, or when flights used its
 * package: neither the payment nor the debt may be lost.
 */
export async function failInvoice(tx: Tx, raising: Raising, reason: string): Promise<void> {
  const invoice = await lockInvoice(tx, raising.organizationId, raising.invoiceId)
  if (invoice?.status !== 'pending' || invoice.revision !== raising.revision) return
  invoice.gatewayError = reason
  if (invoice.reservationId != null) {
    const { organizationId, reservationId } = invoice
    recordNotInvoiced(tx, { organizationId, reservationId, reason })
  }
  if (!invoice.number) invoice.status = 'failed'
  else if ((await assertStands(tx, invoice)) || (await findPaymentsToChange(tx, invoice)).length > 0) {
    invoice.status = 'open'
    await noteAsked(tx, invoice)
  } else tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: 'refused by the payment processor' })
}

/**
 * Enqueues the job that closes a gateway invoice that an earlier run may have left open: one whose lines were replaced, or one whose
 * invoice is closed here.
 * Implements docs/decisions/0011.
 */
export async function closeOrphanedGatewayInvoice(tx: Tx, raising: Raising): Promise<void> {
  const invoice = await lockInvoice(tx, raising.organizationId, raising.invoiceId)
  if (!invoice) return
  if (raising.revision !== invoice.revision) tx.enqueue(voidAtGateway, raising)
  else if (wasClosedBeforeIssue(invoice)) enqueueGatewayClosure(tx, invoice, null)
}

/**
 * Enqueues the job that voids or settles a closed invoice at the gateway; does nothing for an open one. `knew`: the gateway invoice that
 * was stored before. An invoice that is paid through the gateway without one was paid on an earlier revision, so this one is voided.
 */
function enqueueGatewayClosure(tx: Tx, invoice: Invoice, knew: string | null | undefined): void {
  const id = { organizationId: invoice.organizationId, invoiceId: invoice.id }
  const paidBefore = invoice.status === 'paid' && invoice.settlement === 'processor' && !knew
  if (invoice.status === 'void' || paidBefore) tx.enqueue(voidAtGateway, id)
  else if (invoice.status === 'paid') tx.enqueue(settleAtGateway, id)
}
