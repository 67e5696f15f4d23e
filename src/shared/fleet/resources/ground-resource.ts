import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { isGrounded, notifyGrounding } from './notify-grounding.ts'
import { lockResourceToGround } from './resource.access.ts'

/**
 * Grounds an aircraft or simulator with a reason, or ends a person's grounding. A person cannot end a system hold: it
 * ends when nothing is outstanding. Implements interface §Resources (grounding).
 * @throws Forbidden for another organization's aircraft; the interface requires 403 for this endpoint only.
 * @throws NotFound when it does not exist.
 */
export async function groundResource(
  tx: Tx,
  actor: Actor,
  id: number,
  input: { grounded: boolean; reason?: string | null | undefined },
): Promise<{ id: number }> {
  const resource = await lockResourceToGround(tx, actor, id)
  if (resource.kind === 'room') throw new Invalid('grounded: a room cannot be grounded')
  const wasGrounded = isGrounded(resource)
  resource.groundedByPerson = input.grounded
  resource.groundedReason = input.grounded ? input.reason : null
  notifyGrounding(tx, actor, resource, wasGrounded)
  return { id }
}
