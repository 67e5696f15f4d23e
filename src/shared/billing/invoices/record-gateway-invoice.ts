import type { GatewayMoney, IssuedInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { startAutopay } from '../autopay/plan-autopay.ts'
import type { Invoice } from '../invoices.tables.ts'
import { assertStands } from '../packages/package.access.ts'
import { findPaymentsToChange } from '../payments/payment.access.ts'
import { noteAsked } from './emit-asked.ts'
import { lockInvoice } from './invoice.access.ts'
import { recordNotInvoiced } from './invoice-signed-off.ts'
import { wasClosedBeforeIssue } from './invoice-to-issue.queries.ts'
import { settleAtGateway, voidAtGateway } from './invoices.jobs.ts'
import { syncFromGateway } from './sync-from-gateway.ts'

/** An invoice with the lines of one revision. */
interface Raising {
  organizationId: number
  invoiceId: number
  revision: number
}

/**
 * Stores the gateway's status of an issued invoice, what it took in when that is paid already, and its customer id. When the invoice changed meanwhile (lines
 * replaced, voided, paid otherwise), enqueues the job that brings the gateway to the same state.
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
    if (invoice.status === 'open') await startAutopay(tx, invoice)
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
 * Stores a permanent refusal by the gateway: the invoice becomes failed with the reason, or void when it has a number. One
 * of which a part is paid, or whose package was used, stays due without a pay link: what was paid must not vanish with it. So
 * does one whose payment was reversed: what is owed must not vanish with it either.
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
 * Enqueues the job that closes what an earlier run may have left at the gateway: replaced lines, or an invoice that is
 * closed here.
 * Implements docs/decisions/0011.
 */
export async function closeOrphanedGatewayInvoice(tx: Tx, raising: Raising): Promise<void> {
  const invoice = await lockInvoice(tx, raising.organizationId, raising.invoiceId)
  if (!invoice) return
  if (raising.revision !== invoice.revision) tx.enqueue(voidAtGateway, raising)
  else if (wasClosedBeforeIssue(invoice)) enqueueGatewayClosure(tx, invoice, null)
}

/**
 * Enqueues the job that voids or settles a closed invoice at the gateway. `knew` is its gateway invoice before: one that an
 * event says is paid there needs neither, and one that was settled by the money of an earlier revision is voided.
 */
function enqueueGatewayClosure(tx: Tx, invoice: Invoice, knew: string | null | undefined): void {
  const id = { organizationId: invoice.organizationId, invoiceId: invoice.id }
  const paidBefore = invoice.status === 'paid' && invoice.settlement === 'processor' && !knew
  if (invoice.status === 'void' || paidBefore) tx.enqueue(voidAtGateway, id)
  else if (invoice.status === 'paid') tx.enqueue(settleAtGateway, id)
}
