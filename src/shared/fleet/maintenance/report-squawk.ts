import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { Squawk, type squawkSeverities } from '../fleet.tables.ts'
import { assertHasResource, assertIsBookingOf, assertSeverityFits } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

export interface NewSquawk {
  resourceId: number
  title: string
  description: string | null
  severity: (typeof squawkSeverities)[number]
  /** The booking during which it was noticed. */
  reservationId: number | null
}

/**
 * Creates a squawk; any member may. A grounding squawk holds the resource until it is deferred or resolved.
 * Implements interface §Maintenance.
 */
export async function reportSquawk(tx: Tx, actor: Actor, input: NewSquawk): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  const resource = await assertHasResource(tx, actor, input.resourceId)
  assertSeverityFits(resource.kind, input.severity)
  if (input.reservationId !== null) await assertIsBookingOf(tx, resource, input.reservationId)
  const squawk = tx.em.create(Squawk, { ...input, organizationId, reportedBy: orgUserId })
  await tx.em.flush()
  await recomputeHoldOf(tx, resource, orgUserId)
  const after = { resourceId: resource.id, severity: input.severity }
  emit(tx, actor, { kind: 'squawk.opened', subject: { kind: 'squawk', id: squawk.id }, after })
  return { id: squawk.id }
}
