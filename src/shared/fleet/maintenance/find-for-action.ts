import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { Resource } from '../resources/resource.entity.ts'
import { MaintenanceReminder, Squawk } from './maintenance.entity.ts'

/*
 * Whatever may change a hold locks the resource before it writes a row that refers to it: the reference itself takes a
 * weaker lock, and two that both hold the weaker one would wait for each other.
 */

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** A resource named in a body is one of the organization; it is locked. @throws Invalid naming the field */
export async function mustHaveResource(tx: Tx, actor: Actor, id: number): Promise<Resource> {
  const resource = await tx.em.findOne(Resource, { id, organizationId: actor.organizationId }, locked)
  if (!resource) throw new Invalid('resource.id: there is no such resource')
  return resource
}

/** The squawk to change, locked. @throws NotFound */
export async function lockSquawk(tx: Tx, actor: Actor, id: number): Promise<Squawk> {
  const squawk = await tx.em.findOne(Squawk, { id, organizationId: actor.organizationId }, locked)
  if (!squawk) throw new NotFound('There is no such squawk.')
  return squawk
}

/** The reminder to change and its resource, both locked. @throws NotFound */
export async function lockReminder(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
): Promise<{ reminder: MaintenanceReminder; resource: Resource }> {
  const found = await tx.em.findOne(MaintenanceReminder, { id, organizationId })
  const resource = found && (await tx.em.findOne(Resource, { id: found.resourceId, organizationId }, locked))
  const reminder = resource && (await tx.em.findOne(MaintenanceReminder, { id, organizationId }, locked))
  if (!reminder) throw new NotFound('There is no such reminder.')
  return { reminder, resource }
}
