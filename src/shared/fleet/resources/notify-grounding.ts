import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Resource } from './resource.entity.ts'

/** Whether a resource is out of service, held by a person or by the system. */
export function isGrounded(resource: Pick<Resource, 'groundedByPerson' | 'systemHoldReason'>): boolean {
  return resource.groundedByPerson || (resource.systemHoldReason ?? null) !== null
}

/**
 * Owes word of a resource that left service or came back to it: not when one of two holds goes. `by` is who caused it,
 * with null where nobody did.
 */
export function notifyGrounding(
  tx: Tx,
  by: { orgUserId: number | null },
  resource: Resource,
  wasGrounded: boolean,
): void {
  const grounded = isGrounded(resource)
  if (grounded === wasGrounded) return
  notify(tx, {
    organizationId: resource.organizationId,
    kind: grounded ? 'resource_grounded' : 'resource_returned',
    subjectId: resource.id,
    causedBy: by.orgUserId,
  })
}
