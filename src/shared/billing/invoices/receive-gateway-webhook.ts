import type { GatewayEvent } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockInvoice } from './invoice.access.ts'
import type { Invoice } from './invoice.entity.ts'
import { invoiceKey } from './invoice-key.ts'
import { syncFromGateway } from './sync-from-gateway.ts'

export type EventOutcome = 'applied' | 'repeated' | 'unknown' | 'other_currency'

/**
 * Applies a gateway event once: its id is stored in the transaction that applies it. `unknown`: the event concerns no
 * invoice of ours. `other_currency`: the currencies differ, and nothing changes.
 */
export async function receiveGatewayWebhook(tx: Tx, event: GatewayEvent): Promise<EventOutcome> {
  const first = await tx.db
    .insertInto('processor_event')
    .values({ event_id: event.id, type: event.type, occurred_at: event.occurredAt })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!first) return 'repeated'
  const invoice = event.invoice && (await findOurs(tx, event))
  if (!invoice || !event.invoice) return 'unknown'
  // Replaced lines: this gateway invoice belongs to an earlier revision, and a job voids it.
  if (event.invoice.key !== invoiceKey(invoice)) return 'unknown'
  if (event.invoice.currency !== invoice.currency) return 'other_currency'
  await syncFromGateway(tx, invoice, event.invoice)
  return 'applied'
}

/** Finds the invoice by its gateway id or, when the event arrives before our commit, by the reference in the event. */
async function findOurs(tx: Tx, { invoice: at, account }: GatewayEvent): Promise<Invoice | null> {
  if (!at) return null
  const known = await tx.db
    .selectFrom('invoice')
    .select(['id', 'organization_id'])
    .where('processor_invoice_id', '=', at.processorInvoiceId)
    .where('processor_account', account === null ? 'is' : '=', account)
    .executeTakeFirst()
  if (known) return lockInvoice(tx, known.organization_id, known.id)
  if (!at.reference) return null
  const referred = await lockInvoice(tx, at.reference.organizationId, at.reference.invoiceId)
  // Another school's account could send our reference, so the account must be the one that billed the invoice.
  const fits =
    referred?.settlement === 'processor' &&
    (referred.processorAccount ?? null) === account &&
    !referred.processorInvoiceId
  return fits ? referred : null
}
