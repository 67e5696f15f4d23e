import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { TOLD_DAYS_AHEAD } from './endorsement.rules.ts'

const DAY_MS = 86_400_000

/** Returns the endorsements of all organizations that expire within 14 days and have no notification yet. */
export async function findExpiringEndorsements(
  db: Db,
  now: Date,
): Promise<{ organizationId: number; endorsementId: number }[]> {
  return db
    .selectFrom('endorsement')
    .select(['organization_id as organizationId', 'id as endorsementId'])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', new Date(now.getTime() + TOLD_DAYS_AHEAD * DAY_MS))
    .where('superseded_at', 'is', null)
    .where('expiry_told_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Enqueues the expiry notification of one endorsement, once: `expiry_told_at` records it. */
export async function notifyExpiring(
  tx: Tx,
  { organizationId, endorsementId }: { organizationId: number; endorsementId: number },
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('endorsement')
    .set({ expiry_told_at: sql<Date>`${tx.now}::timestamptz` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', endorsementId)
    .where('expiry_told_at', 'is', null)
    .where('superseded_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  notify(tx, { organizationId, kind: 'endorsement_expiring', subjectId: endorsementId, causedBy: null })
}
