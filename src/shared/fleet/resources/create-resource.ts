import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mustHaveLocation } from './resource.access.ts'
import { Resource } from './resource.entity.ts'
import { flattenResource, type ResourceFields, reportsFuel, type TypeBody } from './resource-body.rules.ts'
import { applyResourceBody, blankResource } from './resource-patch.rules.ts'

export interface NewResource extends ResourceFields {
  name: string
  location: { id: number }
  type: TypeBody
}

/**
 * Adds an aircraft, simulator or room. Implements interface §Resources.
 * @throws Invalid naming the field.
 */
export async function createResource(tx: Tx, actor: Actor, input: NewResource): Promise<{ id: number }> {
  const { name, location, ...body } = input
  const flat = flattenResource(body)
  await mustHaveLocation(tx, actor, location.id)
  const state = applyResourceBody(blankResource(flat.kind), flat)
  const resource = tx.em.create(Resource, {
    ...state,
    organizationId: actor.organizationId,
    name,
    kind: flat.kind,
    locationId: location.id,
    fuelUpdatedAt: reportsFuel(flat) ? tx.now : null,
  })
  await tx.em.flush()
  return { id: resource.id }
}
