import { sql } from 'kysely'
import type { GatewayEvent } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'
import { findUnknownEvents } from './payment.queries.ts'
import { sweepGatewayEvents } from './payments.jobs.ts'
import { receiveGatewayWebhook } from './receive-gateway-webhook.ts'

/** The hours between two reads of the events of an account. */
const LOOK_EVERY_HOURS = 6
/** The hours that are read again: the gateway may list an event late, and its clock may differ. */
const OVERLAP_HOURS = 1
/** How long the gateway keeps an event. */
const KEPT_DAYS = 30

const HOUR_MS = 3_600_000

/**
 * Enqueues a job that reads the events of each gateway account for which none was enqueued in the last six hours; at most `BATCH_SIZE`
 * jobs. The accounts are the service's own and those that schools have or had, once a customer is stored there. Returns how many jobs
 * it enqueued. Implements docs/decisions/0032.
 */
export async function lookAtAccounts(tx: Tx): Promise<number> {
  await sql`
    insert into gateway_event_sweep (organization_id, account)
    select organization_id, account
    from (select null::int as organization_id, null::text as account
          union all select id, settings ->> 'stripeAccountId' from organization
            where settings ->> 'stripeAccountId' is not null) had
    where not exists (select from gateway_event_sweep l where l.organization_id is not distinct from had.organization_id
        and l.account is not distinct from had.account)
      and exists (select from gateway_customer c where c.gateway_account is not distinct from had.account
        and c.organization_id = coalesce(had.organization_id, c.organization_id))
    on conflict do nothing`.execute(tx.db)
  const { rows } = await sql<{ lookId: number }>`
    update gateway_event_sweep as r set asked_at = ${tx.now}, updated_at = ${tx.now}
    where r.id = any(array(
      select r.id from gateway_event_sweep r
      where coalesce(r.asked_at, '-infinity') < ${tx.now}::timestamptz - make_interval(hours => ${LOOK_EVERY_HOURS})
        and not exists (select 1 from outbox o where o.failed_at is null and o.job = ${sweepGatewayEvents.name}
          and (o.payload ->> 'lookId')::int = r.id)
      order by r.asked_at nulls first limit ${BATCH_SIZE} for update of r skip locked))
    returning r.id as "lookId"`.execute(tx.db)
  for (const look of rows) tx.enqueue(sweepGatewayEvents, look)
  return rows.length
}

/** Returns from when on the events of an account are read: one hour before `readUntil`, but at most 30 days ago. */
export function readSince(readUntil: Date | null, now: Date): Date {
  const kept = now.getTime() - KEPT_DAYS * 24 * HOUR_MS
  return new Date(Math.max(kept, (readUntil?.getTime() ?? 0) - OVERLAP_HOURS * HOUR_MS))
}

/** Handles the events that no webhook delivered like events of a webhook. Returns how many of them name a record of this service. */
export async function takeEvents(tx: Tx, events: readonly GatewayEvent[]): Promise<number> {
  const unknown = await findUnknownEvents(tx.db, events)
  let taken = 0
  for (const event of unknown) {
    if ((await receiveGatewayWebhook(tx, event, { lookedUp: true })) === 'followed') taken++
  }
  return taken
}

/** Stores that all events of an account that are older than `until` were handled. A stored time is never replaced by an earlier one. */
export async function moveBookmark(tx: Tx, lookId: number, until: Date): Promise<void> {
  await tx.db
    .updateTable('gateway_event_sweep')
    .set({ read_until: sql`greatest(read_until, ${until})`, updated_at: tx.now })
    .where('id', '=', lookId)
    .execute()
}
