import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Resource } from '../fleet.tables.ts'

/** Returns whether a resource is out of service: grounded by a person or held by the system. */
export function isGrounded(resource: Pick<Resource, 'groundedByPerson' | 'systemHoldReason'>): boolean {
  return resource.groundedByPerson || (resource.systemHoldReason ?? null) !== null
}

/**
 * Emits an event when a change grounded a resource or returned it to service. Emits none when the resource stays
 * grounded, such as when only one of two reasons ends. `by` is the member who made the change; null for the system.
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

/** Emits an event when what names the make and model of an aircraft in endorsements changed. `before` is what did. */
export function emitEndorsedAs(
  tx: Tx,
  by: { orgUserId: number | null; name?: string },
  { organizationId, id, endorsedAs }: Resource,
  before: readonly string[],
): void {
  if (endorsedAs.join('\n') === before.join('\n')) return
  const kind = 'resource.endorsed_as_changed'
  emit(
    tx,
    { organizationId, ...by },
    { kind, subject: { kind: 'resource', id }, before: { endorsedAs: before }, after: { endorsedAs } },
  )
}
