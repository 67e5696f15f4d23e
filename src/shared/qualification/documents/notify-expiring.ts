import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NOTIFY_DAYS_AHEAD } from './document.rules.ts'

/** How many notifications one transaction enqueues. */
const BATCH = 500

/**
 * Enqueues notifications of documents that expire within `NOTIFY_DAYS_AHEAD` days (of 24 hours), one before the expiry
 * and one after it; none for members who left. Safe to run in several workers at once. Returns whether there may be
 * more.
 */
export async function notifyExpiring(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ id: number; organizationId: number }>`
    update document set expiry_told_at = ${tx.now}
    where id in (
      select d.id from document d
      left join membership m on m.organization_id = d.organization_id and m.id = d.membership_id
      where d.expires_at is not null and (d.expiry_told_at is null or d.expiry_told_at < d.expires_at)
        and d.expires_at <= ${tx.now}::timestamptz + make_interval(hours => ${24 * NOTIFY_DAYS_AHEAD}::int)
        and (d.expiry_told_at is null or d.expires_at <= ${tx.now})
        and m.removed_at is null
      order by d.expires_at
      limit ${BATCH}
      for update of d skip locked)
    returning id, organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'document_expiring', subjectId: id, causedBy: null })
  }
  return rows.length === BATCH
}
