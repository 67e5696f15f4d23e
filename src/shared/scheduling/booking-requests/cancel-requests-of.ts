import type { Tx } from '../../platform/db/transaction.ts'

/** Cancels the undecided requests of a member who leaves. */
export async function cancelRequestsOf(
  tx: Tx,
  leaving: { organizationId: number; orgUserId: number },
  by: { orgUserId: number },
): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ status: 'cancelled', decided_by: by.orgUserId, decided_at: tx.now, updated_at: tx.now })
    .where('organization_id', '=', leaving.organizationId)
    .where('requester_id', '=', leaving.orgUserId)
    .where('status', '=', 'pending')
    .execute()
}
