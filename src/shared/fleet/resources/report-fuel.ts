import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { lockResource } from './resource.access.ts'
import type { ResourceFields } from './resource-body.rules.ts'
import { fuelled } from './resource-patch.rules.ts'

/**
 * Stores how much fuel an aircraft holds, in the aircraft's own units. Implements interface §Resources (fuel).
 * @throws NotFound when the organization has no such resource.
 * @throws Invalid for a resource without an engine, and for a second engine on an aircraft with one.
 */
export async function reportFuel(
  tx: Tx,
  actor: Actor,
  id: number,
  fuel: Pick<ResourceFields, 'fuelEngine1' | 'fuelEngine2'>,
): Promise<{ id: number }> {
  const resource = await lockResource(tx, actor, id)
  if (resource.kind !== 'plane') throw new Invalid(`fuelEngine1: a ${resource.kind} takes no fuel`)
  Object.assign(resource, fuelled(resource.traits.engines, resource, fuel), { fuelUpdatedAt: tx.now })
  return { id }
}
