import type { GatewayEvent } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { followMoneyAtGateway } from '../payments/payments.jobs.ts'
import { lockInvoiceOfEvent } from './invoice.access.ts'
import { invoiceKey } from './invoice.entity.ts'
import { syncFromGateway } from './sync-from-gateway.ts'

export type EventOutcome = 'applied' | 'followed' | 'repeated' | 'unknown' | 'other_currency'

/**
 * Applies a gateway event once: its id is stored in the transaction that applies it. `unknown`: the event concerns no
 * invoice here. `followed`: a job reads the money that moved. `other_currency`: the currencies differ, and nothing changes.
 * Implements docs/decisions/0011.
 */
export async function receiveGatewayWebhook(tx: Tx, event: GatewayEvent): Promise<EventOutcome> {
  const first = await tx.db
    .insertInto('processor_event')
    .values({ event_id: event.id, type: event.type, occurred_at: event.occurredAt })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!first) return 'repeated'
  if (event.money) {
    tx.enqueue(followMoneyAtGateway, { account: event.account, ...event.money })
    return 'followed'
  }
  const invoice = event.invoice && (await lockInvoiceOfEvent(tx, event))
  if (!invoice || !event.invoice) return 'unknown'
  // The key of an earlier revision: its lines were replaced, and a job voids that gateway invoice.
  if (event.invoice.key !== invoiceKey(invoice)) return 'unknown'
  if (event.invoice.currency !== invoice.currency) return 'other_currency'
  await syncFromGateway(tx, invoice, event.invoice)
  return 'applied'
}
