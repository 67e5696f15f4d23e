import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { issueAtGateway, syncFromGatewayJob } from './invoices.jobs.ts'

/** Hours between comparisons of an open invoice, in case a webhook event is lost. */
const COMPARE_EVERY_HOURS = 6
/** Minutes after which a pending invoice without a job is issued again. */
const LEFT_BEHIND_MINUTES = 10
const AT_ONCE = 500

interface LeftBehind {
  id: number
  organizationId: number
  status: 'pending' | 'open'
  revision: number
}

/**
 * Enqueues a comparison for each open invoice that was not compared for hours, and another issue job for each pending
 * one without a job; longest waiting first. Returns how many. Concurrent runs skip each other's rows.
 */
export async function reconcile(tx: Tx): Promise<number> {
  const { rows } = await sql<LeftBehind>`
    update invoice set checked_at = ${tx.now}
    where id in (
      select i.id from invoice i
      where i.settlement = 'processor' and i.status in ('pending', 'open')
        and coalesce(i.checked_at, i.created_at) < ${tx.now}::timestamptz - case i.status
          when 'open' then make_interval(hours => ${COMPARE_EVERY_HOURS})
          else make_interval(mins => ${LEFT_BEHIND_MINUTES}) end
        and not exists (select 1 from outbox o where o.organization_id = i.organization_id and o.failed_at is null
          and o.job in (${issueAtGateway.name}, ${syncFromGatewayJob.name})
          and (o.payload ->> 'invoiceId')::int = i.id)
      order by coalesce(i.checked_at, i.created_at)
      limit ${AT_ONCE}
      for update of i skip locked)
    returning id, organization_id as "organizationId", status, revision`.execute(tx.db)
  for (const { id: invoiceId, organizationId, status, revision } of rows) {
    if (status === 'open') tx.enqueue(syncFromGatewayJob, { organizationId, invoiceId })
    else tx.enqueue(issueAtGateway, { organizationId, invoiceId, revision })
  }
  return rows.length
}
