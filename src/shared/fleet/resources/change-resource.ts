import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { emitGrounding, isGrounded } from './emit-grounding.ts'
import { lockResource, lockResourceToGround } from './resource.access.ts'
import type { ResourceFields } from './resource-body.rules.ts'
import { fuelled } from './resource-patch.rules.ts'

/**
 * Grounds an aircraft or simulator with a reason, or ends a person's grounding. A person cannot end a system hold; it
 * ends when no reason for it is left.
 * Implements interface §Resources (grounding).
 */
export async function groundResource(
  tx: Tx,
  actor: Actor,
  id: number,
  input: { grounded: boolean; reason?: string | null | undefined },
): Promise<{ id: number }> {
  const resource = await lockResourceToGround(tx, actor, id)
  if (resource.kind === 'room') throw fleetErrors.roomGrounded()
  const wasGrounded = isGrounded(resource)
  resource.groundedByPerson = input.grounded
  resource.groundedReason = input.grounded ? input.reason : null
  emitGrounding(tx, actor, resource, wasGrounded)
  return { id }
}

/**
 * Stores an aircraft's fuel on board, in the aircraft's units.
 * Implements interface §Resources (fuel).
 */
export async function reportFuel(
  tx: Tx,
  actor: Actor,
  id: number,
  fuel: Pick<ResourceFields, 'fuelEngine1' | 'fuelEngine2'>,
): Promise<{ id: number }> {
  const resource = await lockResource(tx, actor, id)
  if (resource.kind !== 'plane') throw fleetErrors.takesNoFuel({ kind: resource.kind })
  Object.assign(resource, fuelled(resource.traits.engines, resource, fuel), { fuelUpdatedAt: tx.now })
  return { id }
}
