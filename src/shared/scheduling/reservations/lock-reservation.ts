import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError, NotFound } from '../../platform/kernel/errors.ts'
import { type Refusal, refusalOf, type Trigger } from './lifecycle.states.ts'
import { findReservation, type ReservationRow } from './reservation.queries.ts'
import { lifecycleOf } from './reservation-facts.ts'

/**
 * Returns the booking in its present state, locked until the commit.
 * @throws NotFound when the organization has none with this id.
 */
export async function lockReservation(tx: Tx, actor: Actor, id: number): Promise<ReservationRow> {
  const locked = await tx.db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const row = locked && (await findReservation(tx.db, actor.organizationId, id))
  if (!row) throw new NotFound('There is no such booking.')
  return row
}

/**
 * Refuses a trigger that the booking's state does not allow.
 * @throws AppError with the refusal of the lifecycle table.
 */
export function assertTransition(
  trigger: Trigger,
  row: ReservationRow,
  facts: Partial<ReturnType<typeof lifecycleOf>> = {},
): void {
  const refusal = refusalOf(trigger, { ...lifecycleOf(row), ...facts })
  if (refusal) throw refused(refusal)
}

/** Returns a refusal of a rule as an error. */
export function refused({ status, message, code }: Refusal): AppError {
  return new AppError(status, message, code)
}
