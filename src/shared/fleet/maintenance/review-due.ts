import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endPastDeferrals, loadMaintenanceItems, lockResourceIfAny, metersOf } from './maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf } from './maintenance-item.queries.ts'
import { maintenanceStatus } from './maintenance-item.rules.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/**
 * Reviews a resource's squawks and maintenance items at the present time and meters: sets or releases its hold, and
 * enqueues one notification per item that became due soon or overdue, and per deferral that ended. It is idempotent:
 * `notifiedStatus` stores the status at the last review.
 * Implements docs/decisions/0024.
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
  const items = new Map((await loadMaintenanceItems(tx, resource)).map((item) => [item.id, item]))
  for (const row of await findMaintenanceItemsOf(tx.db, organizationId, resourceId)) {
    const status = maintenanceStatus(dueOf(row), at)
    const item = items.get(row.id)
    if (!item || status === item.notifiedStatus) continue
    item.notifiedStatus = status
    if (status === 'due_soon' || status === 'overdue')
      notify(tx, { organizationId, kind: 'maintenance_due', subjectId: item.id, causedBy: null })
  }
}
