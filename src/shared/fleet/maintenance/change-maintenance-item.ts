import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { sealDeletedCompletions } from '../resources/resource.access.ts'
import {
  assertLastDoneFits,
  type MaintenanceItemFields,
  replaceLimits,
  replaceSatisfied,
} from './add-maintenance-item.ts'
import { assertHasMeters, limitFields, limitFrom, limitsFrom } from './limit-fields.rules.ts'
import { type LockedMaintenanceItem, lockMaintenanceItem, metersOf } from './maintenance.access.ts'
import { findQualificationsOf } from './maintenance-item.queries.ts'
import type { Limit } from './maintenance-item.rules.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/**
 * Changes the given fields. `limits` replaces all limits; in a limit whose basis is stored already, absent fields keep
 * their stored values. A new interval or a new last completion moves the due date or reading, unless the due date or
 * reading is given too. The resource cannot be changed.
 * Implements interface §Maintenance and docs/decisions/0024.
 */
export async function changeMaintenanceItem(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: MaintenanceItemFields,
): Promise<{ id: number }> {
  const locked = await lockMaintenanceItem(tx, actor, id)
  const { item, resource } = locked
  if (resource.kind === 'room' && changes.grounding) throw fleetErrors.roomNotGrounding()
  const limits = changedLimits(tx.now, locked, changes)
  const { name, carry, scope, kind, satisfies, warnDays, warnHours, grounding } = changes
  tx.em.assign(item, {
    name: name ?? item.name,
    carry: carry ?? item.carry,
    scope: scope ?? item.scope,
    kind: kind ?? item.kind,
    warnDays: warnDays ?? item.warnDays,
    warnHundredths: warnHours ?? item.warnHundredths,
    grounding: grounding ?? item.grounding,
  })
  if (limits) await replaceLimits(tx, item, limits)
  if (satisfies) await replaceSatisfied(tx, item, satisfies)
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id }
}

/** Returns the limits after the changes; null when no limit changes. */
function changedLimits(
  now: Date,
  { resource, limits, zone }: LockedMaintenanceItem,
  { limits: given, ...fields }: MaintenanceItemFields,
): Limit[] | null {
  const from = { now, meters: metersOf(resource), zone }
  if (given) {
    const changed = limitsFrom(given, limits, from)
    assertHasMeters(resource, changed)
    assertLastDoneFits(fields, given, from.meters, limits)
    return changed
  }
  const field = limitFields.find((name) => fields[name] !== undefined)
  if (!field) return null
  const [only, another] = limits
  if (!only || another) throw fleetErrors.severalLimits({ field })
  const input = { ...fields, basis: only.basis }
  const changed = limitFrom(input, only, from)
  assertLastDoneFits(fields, [input], from.meters, limits)
  return [changed]
}

/**
 * Deletes a maintenance item with its completions and their files, and recomputes the hold of its resource.
 * Implements interface §Maintenance.
 */
export async function deleteMaintenanceItem(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { item, resource } = await lockMaintenanceItem(tx, actor, id)
  await sealDeletedCompletions(tx, actor, { resourceId: resource.id, reminderId: id })
  for (const file of await findQualificationsOf(tx.db, actor.organizationId, id)) dropObject(tx, file)
  tx.em.remove(item)
  await recomputeHoldOf(tx, resource, actor.orgUserId)
}
