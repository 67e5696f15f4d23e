import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Hundredths } from '../platform/kernel/units.ts'
import {
  assertTransition,
  type LockedReservation,
  lockReservation,
} from '../scheduling/reservations/reservation.access.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { judgeRelease } from './judge-release.ts'
import { refuseRamp } from './meters.rules.ts'
import { assertIsExpectable, assertMayRamp, assertNotOut } from './ramp.access.ts'
import type { ReleaseCheck } from './release.types.ts'

/**
 * Readings in hundredths of an hour; the tach of a simulator is ignored. Defaults: back at the booked end, no squawks,
 * no overrides.
 */
export interface RampOut {
  hobbsTimeOut: Hundredths
  tachTimeOut: Hundredths | null
  expectedBackAt?: Date | undefined
  /** The open squawks that the caller has read. */
  acknowledgedSquawkIds?: readonly number[] | undefined
  overrides?: readonly GivenOverride[] | undefined
}

/**
 * Records the readings of an aircraft or simulator that leaves, and checks the release. Returns the checks that are not
 * met, as warnings. `bringBack` makes a booking live again that the service cancelled as a no-show.
 * Implements interface §Reservation lifecycle, trigger rampOut, and §Dispatch.
 */
export async function rampOut(
  tx: Tx,
  actor: Actor,
  id: number,
  input: RampOut,
  bringBack: (tx: Tx, actor: Actor, row: LockedReservation) => Promise<LockedReservation>,
): Promise<{ id: number; checks: ReleaseCheck[] }> {
  const locked = await lockReservation(tx, actor, id)
  const row = locked.cancelled_at === null ? locked : await bringBack(tx, actor, locked)
  assertMayRamp(row, actor)
  assertTransition('rampOut', row)
  const noMeters = refuseRamp(row.type, row.resource?.kind ?? null)
  if (noMeters) throw noMeters
  await assertNotOut(tx, actor, row)
  const isPlane = row.resource?.kind === 'plane'
  if (isPlane && input.tachTimeOut === null) throw dispatchErrors.tachOutMissing()
  const { expectedBackAt = row.ends_at, acknowledgedSquawkIds: acknowledged = [], overrides: given = [] } = input
  if (input.expectedBackAt) assertIsExpectable(input.expectedBackAt, tx.now)
  const figures = { hobbsOut: input.hobbsTimeOut, tachOut: isPlane ? input.tachTimeOut : null }
  const readings = { hobbs: figures.hobbsOut, tach: figures.tachOut }
  const checks = await judgeRelease(tx, actor, row, { readings, acknowledged, given })
  tx.em.assign(row.entity, { rampedOutAt: tx.now, expectedBackAt, ...figures })
  const isGrounded = checks.some(({ rule }) => rule === 'resource_grounded')
  emit(tx, actor, {
    kind: 'reservation.ramped_out',
    subject: { kind: 'reservation', id },
    after: {
      ...figures,
      ...(acknowledged.length > 0 && { acknowledgedSquawkIds: acknowledged }),
      ...(isGrounded && { grounded: true }),
    },
  })
  return { id, checks }
}
