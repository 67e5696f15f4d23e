import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Resource } from '../resources/resource.entity.ts'
import { MaintenanceReminder } from './maintenance.entity.ts'
import { recomputeHold } from './recompute-hold.ts'
import { reminderStatus } from './reminder.rules.ts'

/**
 * Looks at a resource's reminders as time and meters have moved on: sets or releases its hold, and tells of each that
 * became due soon or overdue, once. Safe to repeat: what was told is on the reminder.
 */
export async function reviewDue(
  tx: Tx,
  { organizationId, resourceId }: { organizationId: number; resourceId: number },
): Promise<void> {
  await recomputeHold(tx, organizationId, resourceId)
  const resource = await tx.em.findOne(Resource, { id: resourceId, organizationId })
  if (!resource) return
  const meters = { hobbs: resource.hobbsHundredths ?? null, tach: resource.tachHundredths ?? null }
  for (const reminder of await tx.em.find(MaintenanceReminder, { organizationId, resourceId })) {
    const status = reminderStatus(
      { ...reminder, dueAt: reminder.dueAt ?? null, dueHundredths: reminder.dueHundredths ?? null },
      { now: tx.now, meters },
    )
    if (status === reminder.toldStatus) continue
    reminder.toldStatus = status
    if (status !== 'ok') notify(tx, { organizationId, kind: 'maintenance_due', subjectId: reminder.id, causedBy: null })
  }
}
