import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { recoveryErrors } from '../recovery.errors.ts'
import { assertBookable } from '../rules/assert-bookable.ts'
import { locationOf } from '../rules/booking-input.access.ts'
import type { NewBooking } from '../rules/booking-input.types.ts'
import { planBooking } from '../rules/plan-booking.ts'
import { findTaken } from './displaced.queries.ts'
import { maintenanceReach } from './find-shop-slots.ts'
import { plannedMaintenance } from './planned-maintenance.rules.ts'
import { startRecovery } from './start-recovery.ts'

/** The most bookings that one maintenance booking displaces: they move in one transaction. */
const MOST_DISPLACED = 50

/**
 * Starts the planning of a recovery for the bookings that a maintenance booking displaces, which writes to no booking. The rules have to
 * accept the maintenance without them. Returns the id of the operation. Implements interface §Shop slots, POST /reservations
 * with `displace`.
 */
export async function startDisplacing(tx: Tx, actor: Actor, input: NewBooking): Promise<{ id: number }> {
  const { start, end, resourceId, type } = input
  if (type !== 'maintenance' || resourceId === null || input.recurrence) throw recoveryErrors.displacesOne()
  if (end <= tx.now) throw recoveryErrors.causeOver({ field: 'end' })
  const plan = await planBooking(tx.db, actor, tx.now, input)
  const cause = { resourceIds: [resourceId], maintenance: plannedMaintenance({ ...input, resourceId }) }
  const window = { organizationId: actor.organizationId, start, end }
  const taken = new Set((await findTaken(tx.db, { ...window, cause }, tx.now, MOST_DISPLACED + 1)).map(({ id }) => id))
  const judged = plan.judged.map((one) => ({
    ...one,
    problems: one.problems.filter((problem) => problem.rule !== 'resource_clash' || !taken.has(problem.reservationId!)),
  }))
  assertBookable({ ...plan, judged }, input.zone)
  await locationOf(tx.db, actor, input.locationId, plan.resourceLocationId)
  return startRecovery(tx, actor, { cause, start, end, reach: maintenanceReach }, MOST_DISPLACED)
}
