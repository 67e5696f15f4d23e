import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { ReservationEvent } from './reservation.entity.ts'

/** An action on a booking. `before` and `after` hold the figures that it changed. */
export interface EventInput {
  action:
    | 'moved'
    | 'ramped_out'
    | 'ramped_in'
    | 'confirmed'
    | 'corrected'
    | 'reopened'
    | 'cancelled'
    | 'payers_changed'
    | 'seat_freed'
  reason?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Appends an audit row: who, when, why, before and after. The database refuses to change it. */
export function recordEvent(
  tx: Tx,
  actor: Pick<Actor, 'organizationId' | 'orgUserId'>,
  reservationId: number,
  event: EventInput,
): void {
  tx.em.create(ReservationEvent, {
    organizationId: actor.organizationId,
    reservationId,
    membershipId: actor.orgUserId,
    action: event.action,
    reason: event.reason ?? null,
    before: event.before ?? null,
    after: event.after ?? null,
  })
}
