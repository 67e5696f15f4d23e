import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { type ClaimedRow, claimBatch } from '../../platform/jobs/claim-batch.ts'
import { issueAtGateway, syncInvoice } from './invoices.jobs.ts'

/** The hours between two comparisons of an open invoice with the gateway, in case a webhook event was lost. */
const COMPARE_EVERY_HOURS = 6
/** The minutes after which a pending invoice without a job gets a new issue job. */
const LEFT_BEHIND_MINUTES = 10

interface LeftBehind extends ClaimedRow {
  status: 'pending' | 'open'
  revision: number
}

/**
 * Enqueues a comparison for each open invoice that was not compared for six hours, and a new issue job for each pending invoice that
 * has no job and has waited ten minutes; the longest waiting first. Returns how many jobs it enqueued.
 * Implements docs/decisions/0011.
 */
export function reconcile(tx: Tx): Promise<number> {
  return claimBatch<LeftBehind>(tx, {
    table: 'invoice',
    due: sql`r.settlement = 'processor' and r.status in ('pending', 'open')
      and coalesce(r.checked_at, r.created_at) < ${tx.now}::timestamptz - case r.status
        when 'open' then make_interval(hours => ${COMPARE_EVERY_HOURS})
        else make_interval(mins => ${LEFT_BEHIND_MINUTES}) end
      and not exists (select 1 from outbox o where o.organization_id = r.organization_id and o.failed_at is null
        and o.job in (${issueAtGateway.name}, ${syncInvoice.name})
        and (o.payload ->> 'invoiceId')::int = r.id)`,
    order: sql`coalesce(r.checked_at, r.created_at)`,
    mark: { checked_at: sql`${tx.now}` },
    columns: ['status', 'revision'],
    each({ id: invoiceId, organizationId, status, revision }) {
      if (status === 'open') tx.enqueue(syncInvoice, { organizationId, invoiceId })
      else tx.enqueue(issueAtGateway, { organizationId, invoiceId, revision })
    },
  })
}
