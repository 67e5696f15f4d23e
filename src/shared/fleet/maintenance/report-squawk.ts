import { notify } from '../../communication/notifications/notify.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { assertSeverityFits, mustHaveResource } from './maintenance.access.ts'
import { Squawk, type squawkSeverities } from './maintenance.entity.ts'
import { recomputeHold } from './recompute-hold.ts'

export interface NewSquawk {
  resourceId: number
  title: string
  description: string | null
  severity: (typeof squawkSeverities)[number]
  /** The booking during which it was noticed. */
  reservationId: number | null
}

/**
 * Creates a squawk; any member may. A grounding one holds the resource until it is deferred or resolved.
 * @throws Invalid for an unknown resource or booking, and for a grounding squawk on a room.
 */
export async function reportSquawk(tx: Tx, actor: Actor, input: NewSquawk): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  const resource = await mustHaveResource(tx, actor, input.resourceId)
  assertSeverityFits(resource.kind, input.severity)
  if (input.reservationId !== null) await mustBeItsBooking(tx, organizationId, input.reservationId, resource.id)
  const squawk = tx.em.create(Squawk, { ...input, organizationId, reportedBy: orgUserId })
  await tx.em.flush()
  await recomputeHold(tx, organizationId, resource.id, orgUserId)
  notify(tx, { organizationId, kind: 'squawk_opened', subjectId: squawk.id, causedBy: orgUserId })
  return { id: squawk.id }
}

async function mustBeItsBooking(tx: Tx, organizationId: number, id: number, resourceId: number): Promise<void> {
  const booking = await tx.db
    .selectFrom('reservation')
    .select('resource_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!booking) throw new Invalid('reservationId: there is no such booking')
  if (booking.resource_id !== resourceId) throw new Invalid('reservationId: the booking is of another resource')
}
