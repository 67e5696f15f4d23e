import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { TOLD_DAYS_AHEAD } from './endorsement.rules.ts'

/**
 * Enqueues one notification per endorsement that expires within 14 days (of 24 hours), none for one that was
 * superseded. Returns how many.
 */
export function notifyExpiring(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'endorsement',
    due: sql`r.expires_at > ${tx.now}
      and r.expires_at <= ${tx.now}::timestamptz + make_interval(hours => ${24 * TOLD_DAYS_AHEAD}::int)
      and r.superseded_at is null and r.expiry_told_at is null`,
    order: sql`r.expires_at`,
    mark: { expiry_told_at: sql`${tx.now}` },
    each: notifyAbout(tx, 'endorsement_expiring'),
  })
}
