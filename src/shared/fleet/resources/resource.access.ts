import { LockMode } from '@mikro-orm/core'
import { Location } from '../../identity/locations/location.entity.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { Resource } from './resource.entity.ts'

/**
 * Returns the resource to change, locked: several use cases write its meters, fuel and grounding.
 * @throws NotFound when the organization has none with this id.
 */
export async function lockResource(tx: Tx, actor: Actor, id: number): Promise<Resource> {
  const resource = await tx.em.findOne(
    Resource,
    { id, organizationId: actor.organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!resource) throw new NotFound()
  return resource
}

/**
 * Checks that a location in a body is the organization's.
 * @throws Invalid naming the field.
 */
export async function mustHaveLocation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const location = await tx.em.findOne(Location, { id, organizationId: actor.organizationId })
  if (!location) throw new Invalid('location.id: there is no such location')
}
