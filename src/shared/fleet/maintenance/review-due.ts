import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { loadReminders, lockResourceIfAny } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { reminderStatus } from './reminder.rules.ts'

/**
 * Reviews a resource's maintenance items at the present time and meters: sets or releases its hold, and enqueues one
 * notification per item that became due soon or overdue. Idempotent: `toldStatus` keeps the status of the last
 * notification.
 */
export async function reviewDue(
  tx: Tx,
  { organizationId, resourceId }: { organizationId: number; resourceId: number },
): Promise<void> {
  const resource = await lockResourceIfAny(tx, organizationId, resourceId)
  if (!resource) return
  await recomputeHoldOf(tx, resource, null)
  const meters = { hobbs: resource.hobbsHundredths ?? null, tach: resource.tachHundredths ?? null }
  for (const reminder of await loadReminders(tx, resource)) {
    const status = reminderStatus(
      { ...reminder, dueAt: reminder.dueAt ?? null, dueHundredths: reminder.dueHundredths ?? null },
      { now: tx.now, meters },
    )
    if (status === reminder.toldStatus) continue
    reminder.toldStatus = status
    if (status !== 'ok') notify(tx, { organizationId, kind: 'maintenance_due', subjectId: reminder.id, causedBy: null })
  }
}
