import { sql } from 'kysely'
import { noticeDueOf, notifyAbout, owesNotice } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'

/** Enqueues the notices that are due of documents that expire, none for members who left. Returns how many. */
export function notifyExpiringDocuments(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'document',
    join: sql`left join membership m on m.organization_id = r.organization_id and m.id = r.membership_id`,
    due: sql`${owesNotice(tx.now)} and m.removed_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_told_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'document_expiring'),
  })
}
