import { sql } from 'kysely'
import { noticeDueOf, notifyAbout, owesNotice } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'

/** Enqueues the notices that are due of endorsements that expire, none for one that was superseded. Returns how many. */
export function notifyExpiringEndorsements(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'endorsement',
    due: sql`${owesNotice(tx.now)} and r.superseded_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_told_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'endorsement_expiring'),
  })
}
