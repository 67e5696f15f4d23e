import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Hundredths } from '../platform/kernel/units.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { refuseRamp } from './meters.rules.ts'
import { assertNotOut, assertSeated } from './ramp.access.ts'

/** Readings in hundredths of an hour; a simulator's tach is ignored. */
export interface RampOut {
  hobbsTimeOut: Hundredths
  tachTimeOut: Hundredths | null
}

/**
 * Records the readings of an aircraft or simulator that leaves.
 * Implements interface §Reservation lifecycle, trigger rampOut.
 * @throws Invalid when the booking is ramped out or cancelled, has nothing to ramp, or the caller is not on it.
 * @throws Invalid RESOURCE_OUT when the aircraft is out on another booking.
 */
export async function rampOut(tx: Tx, actor: Actor, id: number, input: RampOut): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  assertSeated(row, actor)
  assertTransition('rampOut', row)
  const noMeters = refuseRamp(row.type, row.resource?.kind ?? null)
  if (noMeters) throw noMeters
  await assertNotOut(tx, actor, row)
  const isPlane = row.resource?.kind === 'plane'
  if (isPlane && input.tachTimeOut === null) throw dispatchErrors.tachOutMissing()
  const figures = { hobbsOut: input.hobbsTimeOut, tachOut: isPlane ? input.tachTimeOut : null }
  tx.em.assign(row.entity, { rampedOutAt: tx.now, ...figures })
  emit(tx, actor, { kind: 'reservation.ramped_out', subject: { kind: 'reservation', id }, after: figures })
  return { id }
}
