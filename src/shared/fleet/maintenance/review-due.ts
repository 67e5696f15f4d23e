import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endPastDeferrals, loadReminders, lockResourceIfAny, metersOf } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { dueOf, findRemindersOf } from './reminder.queries.ts'
import { reminderStatus } from './reminder.rules.ts'

/**
 * Reviews a resource's squawks and maintenance items at the present time and meters: sets or releases its hold, and enqueues one
 * notification per item that became due soon or overdue, and per deferral that ended. Idempotent: `toldStatus` keeps the status of the last
 * notification.
 */
export async function reviewDue(
  tx: Tx,
  { organizationId, resourceId }: { organizationId: number; resourceId: number },
): Promise<void> {
  const resource = await lockResourceIfAny(tx, organizationId, resourceId)
  if (!resource) return
  for (const { id: subjectId } of await endPastDeferrals(tx, resource)) {
    notify(tx, { organizationId, kind: 'deferral_ended', subjectId, causedBy: null })
  }
  await recomputeHoldOf(tx, resource, null)
  const at = { now: tx.now, meters: metersOf(resource) }
  const reminders = new Map((await loadReminders(tx, resource)).map((reminder) => [reminder.id, reminder]))
  for (const row of await findRemindersOf(tx.db, organizationId, resourceId)) {
    const status = reminderStatus(dueOf(row), at)
    const reminder = reminders.get(row.id)
    if (!reminder || status === reminder.toldStatus) continue
    reminder.toldStatus = status
    if (status === 'due_soon' || status === 'overdue')
      notify(tx, { organizationId, kind: 'maintenance_due', subjectId: reminder.id, causedBy: null })
  }
}
