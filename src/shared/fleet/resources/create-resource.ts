import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { Resource } from '../fleet.tables.ts'
import { emitEndorsedAs } from './emit-grounding.ts'
import { changePool } from './pool.access.ts'
import { assertHasLocation, lockResource, sealDeletedCompletions } from './resource.access.ts'
import { isBooked, isWaitedFor } from './resource.queries.ts'
import { flattenResource, type ResourceFields, reportsFuel, type TypeBody } from './resource-body.rules.ts'
import { findStoredObjects } from './resource-file.queries.ts'
import { applyResourceBody, blankResource } from './resource-patch.rules.ts'

export interface NewResource extends ResourceFields {
  name: string
  location: { id: number }
  type: TypeBody
  /** The key of the resource in the school's own system. Imports find the resource by this key. */
  externalId?: string | undefined
}

/** Adds an aircraft, simulator or room. Implements interface §Resources. */
export async function createResource(tx: Tx, actor: Actor, input: NewResource): Promise<{ id: number }> {
  const { name, location, externalId = null, ...body } = input
  const flat = flattenResource(body)
  await assertHasLocation(tx, actor, location.id)
  const state = applyResourceBody(blankResource(flat.kind), flat)
  const resource = tx.em.create(Resource, {
    ...state,
    organizationId: actor.organizationId,
    name,
    externalId,
    kind: flat.kind,
    locationId: location.id,
    fuelUpdatedAt: reportsFuel(flat) ? tx.now : null,
  })
  await tx.em.flush()
  if (resource.pool != null) await changePool(tx, actor, resource, null)
  emitEndorsedAs(tx, actor, resource, [])
  return { id: resource.id }
}

/** Deletes a resource that was never booked, with its approvals and files. Implements interface §Resources. */
export async function deleteResource(tx: Tx, actor: Actor, id: number): Promise<void> {
  const resource = await lockResource(tx, actor, id)
  if (await isBooked(tx.db, actor.organizationId, id)) {
    throw fleetErrors.resourceBookedAhead({ resource: resource.name })
  }
  // An entry that loses its only aircraft would wait for any.
  if (await isWaitedFor(tx.db, actor.organizationId, id)) throw platformErrors.stillInUse()
  for (const file of await findStoredObjects(tx.db, actor.organizationId, id)) dropObject(tx, file)
  await sealDeletedCompletions(tx, actor, { resourceId: id })
  tx.em.remove(resource)
}
