import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { NOTIFY_DAYS_AHEAD } from './document.rules.ts'

/**
 * Enqueues notifications of documents that expire within `NOTIFY_DAYS_AHEAD` days (of 24 hours), one before the expiry
 * and one after it; none for members who left. Returns how many.
 */
export function notifyExpiring(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'document',
    join: sql`left join membership m on m.organization_id = r.organization_id and m.id = r.membership_id`,
    due: sql`r.expires_at is not null and (r.expiry_told_at is null or r.expiry_told_at < r.expires_at)
      and r.expires_at <= ${tx.now}::timestamptz + make_interval(hours => ${24 * NOTIFY_DAYS_AHEAD}::int)
      and (r.expiry_told_at is null or r.expires_at <= ${tx.now})
      and m.removed_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_told_at: sql`${tx.now}` },
    each: notifyAbout(tx, 'document_expiring'),
  })
}
