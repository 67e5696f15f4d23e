import type { GatewayEvent } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { followMoneyAtGateway } from './payments.jobs.ts'

export type EventOutcome = 'followed' | 'repeated' | 'unknown'

/**
 * Handles a gateway event once: stores its id in the transaction that enqueues the job. Amounts and statuses in the event are ignored:
 * the job reads the named record from the gateway. `repeated`: the event was handled before. `unknown`: the event names no record of
 * this service. `lookedUp`: the event was found in the gateway's list, because no webhook delivered it.
 * Implements docs/decisions/0032.
 */
export async function receiveGatewayWebhook(
  tx: Tx,
  event: GatewayEvent,
  { lookedUp }: { lookedUp: boolean } = { lookedUp: false },
): Promise<EventOutcome> {
  const missed = lookedUp && event.names !== null
  const first = await tx.db
    .insertInto('gateway_event')
    .values({ event_id: event.id, type: event.type, occurred_at: event.occurredAt, looked_up: missed })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!first) return 'repeated'
  if (!event.names) return 'unknown'
  tx.enqueue(followMoneyAtGateway, { account: event.account, ...event.names })
  return 'followed'
}
