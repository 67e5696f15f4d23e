import type { Tx } from '../../platform/db/transaction.ts'
import type { Resource } from '../fleet.tables.ts'
import { emitGrounding, isGrounded } from '../resources/emit-grounding.ts'
import type { MaintenanceHold } from '../resources/resource.rules.ts'
import { squawkHold } from './deferral.rules.ts'
import { metersOf } from './maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf } from './maintenance-item.queries.ts'
import { firstDue, maintenanceStatus, overdueMessage } from './maintenance-item.rules.ts'
import { findUnresolvedSquawks } from './squawk.queries.ts'

/**
 * Sets or releases the system hold of a resource. The hold has these reasons: grounding squawks that are open or in
 * progress, deferrals that have ended, and overdue grounding items of the scope `all`. It ends when no reason is left.
 * Overdue grounding items of another scope hold only the bookings of that scope. A grounding by a person does not
 * change. Called with the resource locked, after every change of a squawk, an item or a meter. `causedBy` is the
 * orgUserId of the member who made the change; null when a date has passed.
 * Implements interface §Other (system holds) and docs/decisions/0024.
 */
export async function recomputeHoldOf(tx: Tx, resource: Resource, causedBy: number | null): Promise<void> {
  await tx.em.flush()
  await holdOrRelease(tx, resource, causedBy)
}

/**
 * Does the same as `recomputeHoldOf`, but without a flush. Reads the meters from the entity, and squawks and items from
 * the database: the caller has flushed its changes of squawks and items.
 */
export async function holdOrRelease(tx: Tx, resource: Resource, causedBy: number | null): Promise<void> {
  const squawks = await findUnresolvedSquawks(tx.db, resource.organizationId, resource.id, tx.now)
  const overdue = await findOverdue(tx, resource)
  resource.holds = overdue.map(({ reminderId, scope, name }) => ({ reminderId, scope, name }))
  const reasons = [
    ...(resource.kind === 'room' ? [] : squawks.flatMap((squawk) => squawkHold(squawk, squawk.today) ?? [])),
    ...overdue.filter(({ scope }) => scope === 'all').map(({ message }) => message),
  ]
  const wasGrounded = isGrounded(resource)
  resource.systemHoldReason = reasons.length > 0 ? reasons.join('; ') : null
  emitGrounding(tx, { orgUserId: causedBy }, resource, wasGrounded)
}

/** Returns the overdue grounding items of a resource, each with the reason of its hold. */
async function findOverdue(tx: Tx, resource: Resource): Promise<(MaintenanceHold & { message: string })[]> {
  const at = { now: tx.now, meters: metersOf(resource) }
  const items = await findMaintenanceItemsOf(tx.db, resource.organizationId, resource.id)
  return items.flatMap((row) => {
    if (!row.grounding || maintenanceStatus(dueOf(row), at) !== 'overdue') return []
    const { id: reminderId, scope, name } = row
    return [{ reminderId, scope, name, message: overdueMessage(name, firstDue(dueOf(row), at), row.zone) }]
  })
}
