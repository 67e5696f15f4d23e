import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError, NotFound } from '../../platform/kernel/errors.ts'
import { type Refusal, refusalOf, type Trigger } from './lifecycle.states.ts'
import { findReservation, type ReservationRow } from './reservation.queries.ts'
import { lifecycleOf } from './reservation-facts.ts'

/**
 * The booking, locked until the commit, as it stands now.
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

/** Refuses what the booking's state does not allow. @throws AppError as the lifecycle table says. */
export function assertTransition(
  trigger: Trigger,
  row: ReservationRow,
  facts: Partial<ReturnType<typeof lifecycleOf>> = {},
): void {
  const refusal = refusalOf(trigger, { ...lifecycleOf(row), ...facts })
  if (refusal) throw refused(refusal)
}

/** A refusal of a rule as the error that answers it. */
export function refused({ status, message, code }: Refusal): AppError {
  return new AppError(status, message, code)
}
