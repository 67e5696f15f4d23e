import type { Tx } from '../../platform/db/transaction.ts'

/** Records that members are notified of an announcement. Returns the members for whom this was not recorded before. */
export async function claimNotices(
  tx: Tx,
  { organizationId, announcementId }: { organizationId: number; announcementId: number },
  orgUserIds: readonly number[],
): Promise<number[]> {
  if (orgUserIds.length === 0) return []
  const rows = await tx.db
    .insertInto('announcement_notice')
    .values(
      orgUserIds.map((membership_id) => ({
        organization_id: organizationId,
        announcement_id: announcementId,
        membership_id,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'announcement_id', 'membership_id']).doNothing())
    .returning('membership_id')
    .execute()
  return rows.map((row) => row.membership_id)
}
