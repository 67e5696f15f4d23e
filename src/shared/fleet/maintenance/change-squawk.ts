import { type Actor, is } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Resource, Squawk, squawkSeverities } from '../fleet.tables.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import { type Deferral, deferralAfter, type ExcludedOperation, isDeferralOver } from './deferral.rules.ts'
import { assertHasResource, assertSeverityFits, lockSquawk } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/** The roles that maintain the fleet: owners, admins and technicians. */
export const maintainers = ['owner', 'admin', 'technician'] as const satisfies Role[]

export interface SquawkChanges {
  title?: string | undefined
  description?: string | null | undefined
  severity?: (typeof squawkSeverities)[number] | undefined
  status?: 'open' | 'in_progress' | 'deferred' | undefined
  deferredUntil?: string | null | undefined
  deferralReference?: string | null | undefined
  placarded?: boolean | undefined
  excludedOperations?: readonly ExcludedOperation[] | undefined
}

const deferralFields = ['deferredUntil', 'deferralReference', 'placarded', 'excludedOperations'] as const

/**
 * Changes a squawk that is not resolved. Maintainers may change every field. The reporter may change the text and the
 * severity while the squawk is open. Deferring a grounding squawk releases the hold until the deferral ends; reopening
 * the squawk holds the resource again.
 * Implements 14 CFR 91.213(d): a deferred squawk has a reference, a placard and an end.
 */
export async function changeSquawk(tx: Tx, actor: Actor, id: number, changes: SquawkChanges): Promise<{ id: number }> {
  const squawk = await lockSquawk(tx, actor, id)
  if (!is(actor, maintainers)) {
    if (squawk.reportedBy !== actor.orgUserId) throw fleetErrors.squawkOfOthers()
    if (squawk.status !== 'open') throw fleetErrors.squawkInWork()
    if (changes.status && changes.status !== 'open') throw fleetErrors.deferForMaintainers()
    if (deferralFields.some((name) => changes[name] !== undefined)) throw fleetErrors.deferForMaintainers()
  }
  if (squawk.status === 'resolved') throw fleetErrors.squawkResolved()
  const resource = await assertHasResource(tx, actor, squawk.resourceId)
  if (changes.severity) assertSeverityFits(resource.kind, changes.severity)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const status = changes.status ?? squawk.status
  await assertDeferralFits(tx, resource, status, changes)
  const { deferredUntil = null, deferralReference = null, placarded, excludedOperations } = squawk
  const stored = { deferredUntil, deferralReference, placarded, excludedOperations }
  const deferral = deferralAfter(stored, status, deferralOf(given))
  const isDecided = changes.status !== undefined || changes.deferredUntil !== undefined
  const deferralEnded = isDecided ? false : squawk.deferralEnded
  tx.em.assign(squawk, { ...given, ...deferral, deferralEnded })
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id }
}

/**
 * Ensures that the fields of a deferral are given only for a deferred squawk, and that the given last day is not past.
 */
async function assertDeferralFits(
  tx: Tx,
  resource: Resource,
  status: Squawk['status'],
  changes: SquawkChanges,
): Promise<void> {
  const field = deferralFields.find((name) => (name === 'excludedOperations' ? changes[name]?.length : changes[name]))
  if (!field) return
  if (status !== 'deferred') throw fleetErrors.notDeferred({ field })
  const today = localDate(tx.now, await zoneOfResource(tx.db, resource))
  if (isDeferralOver(changes.deferredUntil, today)) throw fleetErrors.deferralPast()
}

function deferralOf(changes: Record<string, unknown>): Partial<Deferral> {
  return Object.fromEntries(deferralFields.filter((name) => name in changes).map((name) => [name, changes[name]]))
}

/**
 * Resolves a squawk with a description of the work, and recomputes the hold.
 * Implements interface §Maintenance and 14 CFR 43.9.
 */
export async function resolveSquawk(tx: Tx, actor: Actor, id: number, resolution: string): Promise<{ id: number }> {
  const squawk = await lockSquawk(tx, actor, id)
  if (squawk.status === 'resolved') throw fleetErrors.squawkResolved()
  const after = { resourceId: squawk.resourceId }
  emit(tx, actor, { kind: 'squawk.resolved', subject: { kind: 'squawk', id }, after })
  tx.em.assign(squawk, { status: 'resolved', resolution, resolvedBy: actor.orgUserId, resolvedAt: tx.now })
  await recomputeHoldOf(tx, await assertHasResource(tx, actor, squawk.resourceId), actor.orgUserId)
  return { id }
}
