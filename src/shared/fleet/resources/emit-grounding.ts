import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Resource } from '../fleet.tables.ts'

/** Decides whether a resource is out of service: grounded by a person or held by the system. */
export function isGrounded(resource: Pick<Resource, 'groundedByPerson' | 'systemHoldReason'>): boolean {
  return resource.groundedByPerson || (resource.systemHoldReason ?? null) !== null
}

/**
 * Emits the event of a resource that leaves or returns to service. It emits none when one of two holds ends. `by` is
 * the member who caused it, null for the system.
 */
export function emitGrounding(
  tx: Tx,
  by: { orgUserId: number | null; name?: string },
  resource: Resource,
  wasGrounded: boolean,
): void {
  const grounded = isGrounded(resource)
  if (grounded === wasGrounded) return
  const { organizationId, id } = resource
  emit(
    tx,
    { organizationId, ...by },
    {
      kind: grounded ? 'resource.grounded' : 'resource.returned',
      subject: { kind: 'resource', id },
      ...(grounded && { after: { groundedBy: resource.groundedByPerson ? 'person' : 'system' } }),
      reason: resource.groundedReason ?? null,
    },
  )
}
