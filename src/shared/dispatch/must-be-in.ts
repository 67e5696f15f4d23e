import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { Invalid } from '../platform/kernel/errors.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/**
 * An aircraft or simulator is out on one booking at a time; the database itself refuses a second one.
 * Implements interface §Close-out.
 * @throws Invalid RESOURCE_OUT naming the booking that it is out on.
 */
export async function mustBeIn(tx: Tx, { organizationId }: Actor, { id, resource }: ReservationRow): Promise<void> {
  const out = await tx.db
    .selectFrom('reservation')
    .select(['id', 'title'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resource?.id ?? 0)
    .where('live', '=', true)
    .where('ramped_out_at', 'is not', null)
    .where('ramped_in_at', 'is', null)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!out) return
  const message = `${resource?.name ?? 'The resource'} is out on another booking: ramp that one in first.`
  throw new Invalid(message, 'RESOURCE_OUT', { reservationId: out.id })
}
