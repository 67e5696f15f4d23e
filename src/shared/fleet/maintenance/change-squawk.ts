import { type Actor, is } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { assertSeverityFits, lockSquawk, mustHaveResource } from './maintenance.access.ts'
import type { squawkSeverities } from './maintenance.entity.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/** The roles that maintain the fleet: owners, admins and technicians. */
export const maintainers = ['owner', 'admin', 'technician'] as const satisfies Role[]

export interface SquawkChanges {
  title?: string | undefined
  description?: string | null | undefined
  severity?: (typeof squawkSeverities)[number] | undefined
  status?: 'open' | 'deferred' | undefined
}

/**
 * Changes a squawk that is not resolved: maintainers every field, its reporter the text and severity while it is open.
 * Deferring a grounding one releases the hold, reopening it holds the resource again.
 * @throws NotFound when the organization has no such squawk.
 * @throws Forbidden for everyone else.
 * @throws Conflict once it is resolved.
 */
export async function changeSquawk(tx: Tx, actor: Actor, id: number, changes: SquawkChanges): Promise<{ id: number }> {
  const squawk = await lockSquawk(tx, actor, id)
  if (!is(actor, maintainers)) {
    if (squawk.reportedBy !== actor.orgUserId) throw fleetErrors.squawkOfOthers()
    if (squawk.status !== 'open') throw fleetErrors.squawkInWork()
    if (changes.status && changes.status !== 'open') throw fleetErrors.deferForMaintainers()
  }
  if (squawk.status === 'resolved') throw fleetErrors.squawkResolved()
  const resource = await mustHaveResource(tx, actor, squawk.resourceId)
  if (changes.severity) assertSeverityFits(resource.kind, changes.severity)
  tx.em.assign(squawk, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id }
}

/**
 * Resolves a squawk with a description of the work; a grounding one releases its hold.
 * @throws NotFound when the organization has no such squawk.
 * @throws Conflict when it is resolved already.
 */
export async function resolveSquawk(tx: Tx, actor: Actor, id: number, resolution: string): Promise<{ id: number }> {
  const squawk = await lockSquawk(tx, actor, id)
  if (squawk.status === 'resolved') throw fleetErrors.squawkResolved()
  const after = { resourceId: squawk.resourceId }
  emit(tx, actor, { kind: 'squawk.resolved', subject: { kind: 'squawk', id }, after })
  tx.em.assign(squawk, { status: 'resolved', resolution, resolvedBy: actor.orgUserId, resolvedAt: tx.now })
  await recomputeHoldOf(tx, await mustHaveResource(tx, actor, squawk.resourceId), actor.orgUserId)
  return { id }
}
