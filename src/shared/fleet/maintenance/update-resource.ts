import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Resource } from '../fleet.tables.ts'
import { emitEndorsedAs, emitGrounding, isGrounded } from '../resources/emit-grounding.ts'
import { changePool, joinsPool } from '../resources/pool.access.ts'
import { assertHasLocation, lockResource } from '../resources/resource.access.ts'
import { flattenResource, type ResourceFields, reportsFuel, type TypeBody } from '../resources/resource-body.rules.ts'
import { applyResourceBody } from '../resources/resource-patch.rules.ts'
import { metersOf } from './maintenance.access.ts'
import { meterBases } from './maintenance-item.rules.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

export interface ResourceChanges extends ResourceFields {
  name?: string | null | undefined
  location?: { id: number } | null | undefined
  type: TypeBody
  externalId?: string | undefined
}

/**
 * Changes a resource by the rules of `applyResourceBody`. Recomputes the system hold when a meter changes. Emits events
 * when the resource is grounded or returned to service, and when its rates or its pool change.
 * Implements interface §Resources.
 */
export async function updateResource(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: ResourceChanges,
): Promise<{ id: number }> {
  const { name, location, externalId, ...body } = changes
  const resource = await lockResource(tx, actor, id)
  const flat = flattenResource(body)
  if (flat.kind !== resource.kind) throw fleetErrors.kindFixed({ kind: resource.kind })
  if (location) await assertHasLocation(tx, actor, location.id)
  const wasGrounded = isGrounded(resource)
  const meters = metersOf(resource)
  const before = ratesOf(resource)
  const stood = { pool: resource.pool ?? null, traits: resource.traits }
  const { endorsedAs } = resource
  tx.em.assign(resource, {
    ...applyResourceBody(resource, flat),
    name: name ?? resource.name,
    externalId: externalId ?? resource.externalId,
    locationId: location?.id ?? resource.locationId,
    ...(reportsFuel(flat) && { fuelUpdatedAt: tx.now }),
  })
  emitGrounding(tx, actor, resource, wasGrounded)
  const after = ratesOf(resource)
  if (before.dryRateCents !== after.dryRateCents || before.wetRateCents !== after.wetRateCents) {
    emit(tx, actor, { kind: 'rates.changed', subject: { kind: 'resource', id }, before, after })
  }
  if (joinsPool(resource, stood)) await changePool(tx, actor, resource, stood.pool)
  emitEndorsedAs(tx, actor, resource, endorsedAs)
  const moved = metersOf(resource)
  if (meterBases.some((basis) => moved[basis] !== meters[basis])) {
    await recomputeHoldOf(tx, resource, actor.orgUserId)
  }
  return { id }
}

function ratesOf({ dryRateCents = null, wetRateCents = null }: Pick<Resource, 'dryRateCents' | 'wetRateCents'>) {
  return { dryRateCents, wetRateCents }
}
