import type { GatewayEvent } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { followMoneyAtGateway } from './payments.jobs.ts'

export type EventOutcome = 'followed' | 'repeated' | 'unknown'

/**
 * Takes a gateway event once: its id is stored in the transaction that enqueues the job. No figure and no status changes
 * by what an event says: the job reads what it names from the gateway. `unknown`: the event names nothing of ours.
 * `lookedUp`: whether it was found in the gateway's list, since no webhook brought it.
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
