import { holdOrRelease } from '../fleet/maintenance/recompute-hold.ts'
import { lockResource } from '../fleet/resources/resource.access.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { type Hundredths, type Tenths, ZERO } from '../platform/kernel/units.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { decidesForPayers } from '../scheduling/reservations/payers.rules.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import {
  briefingAnomalies,
  type MeterRun,
  meterAfterRampIn,
  meterAnomalies,
  movedAnomalies,
  runningBackwards,
} from './meters.rules.ts'
import { assertMayRamp } from './ramp.access.ts'

/** Readings in hundredths of an hour; the briefing of a dual in tenths. */
export interface RampIn {
  hobbsTimeIn: Hundredths
  tachTimeIn: Hundredths | null
  briefing: Tenths | null
  confirmMeterAnomaly: boolean
}

/**
 * Records the readings of a returned aircraft, moves the aircraft's meters forward to them and recomputes its system hold.
 * Implements interface §Reservation lifecycle, trigger rampIn.
 */
export async function rampIn(tx: Tx, actor: Actor, id: number, input: RampIn): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (!isLeftOut(row, actor, tx.now)) assertMayRamp(row, actor)
  assertTransition('rampIn', row)
  const runs = runsOf(row, input)
  const isOdd = assertPlausible({ runs, briefing: input.briefing }, row, input.confirmMeterAnomaly)
  const [hobbsIn, tachIn] = [readingIn(runs, 'hobbs'), readingIn(runs, 'tach')]
  tx.em.assign(row.entity, {
    rampedInAt: tx.now,
    hobbsIn,
    tachIn,
    ...(input.briefing !== null && { briefingTenths: input.briefing }),
    payersSign: isOdd && !decidesForPayers(actor, row),
  })
  await advanceMeters(tx, actor, row.resource?.id ?? 0, { hobbsIn, tachIn })
  emit(tx, actor, { kind: 'reservation.ramped_in', subject: { kind: 'reservation', id }, after: { hobbsIn, tachIn } })
  return { id }
}

/** Desk staff may ramp in any booking when this many hours have passed since its booked end. */
const LEFT_OUT_HOURS = 12

/**
 * Returns whether the actor is desk staff and may ramp in for an absent crew: the aircraft cannot leave again until it is ramped in.
 * Implements interface §Dispatch.
 */
function isLeftOut(row: ReservationRow, actor: Actor, now: Date): boolean {
  return is(actor, deskStaff) && now.getTime() - row.ends_at.getTime() > LEFT_OUT_HOURS * 3_600_000
}

function runsOf(row: ReservationRow, input: RampIn): MeterRun[] {
  const runs: MeterRun[] = [{ meter: 'hobbs', out: row.hobbs_out ?? ZERO, in: input.hobbsTimeIn }]
  if (row.tach_out === null) return runs
  if (input.tachTimeIn === null) throw dispatchErrors.tachInMissing()
  return [...runs, { meter: 'tach', out: row.tach_out, in: input.tachTimeIn }]
}

/** Figures of a flight that are recorded or changed. `briefing` is null when it is not recorded or changed. */
export interface RecordedFigures {
  runs: readonly MeterRun[]
  briefing: Tenths | null
  /** The field of the body that has the readings; absent when the body itself has them. */
  within?: string
  /** The readings that were signed, of a correction that leaves the signatures. */
  signed?: readonly MeterRun[]
}

/**
 * Checks that the figures of a flight are plausible. Throws when readings run backwards, or when a figure looks like a typo and is not
 * `confirmed`. Returns whether a figure looks like a typo: every payer must then sign, unless the actor decides for the payers.
 * Implements interface §Reservations rule 6.
 */
export function assertPlausible(
  { runs, briefing, within, signed = [] }: RecordedFigures,
  row: Pick<ReservationRow, 'starts_at' | 'ends_at'>,
  confirmed: boolean,
): boolean {
  const problems = runningBackwards(runs, within)
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
  const booked = { start: row.starts_at, end: row.ends_at }
  const anomalies = [
    ...meterAnomalies(runs, booked),
    ...movedAnomalies(runs, signed, booked),
    ...briefingAnomalies(briefing, booked),
  ]
  if (anomalies.length > 0 && !confirmed) {
    throw dispatchErrors.meterAnomaly({}, { anomalies })
  }
  return anomalies.length > 0
}

function readingIn(runs: readonly MeterRun[], meter: MeterRun['meter']): Hundredths | null {
  return runs.find((run) => run.meter === meter)?.in ?? null
}

async function advanceMeters(
  tx: Tx,
  actor: Actor,
  resourceId: number,
  readings: { hobbsIn: Hundredths | null; tachIn: Hundredths | null },
): Promise<void> {
  const resource = await lockResource(tx, actor, resourceId)
  const { hobbsIn, tachIn } = readings
  if (hobbsIn !== null) resource.hobbsHundredths = meterAfterRampIn(resource.hobbsHundredths ?? null, hobbsIn)
  if (tachIn !== null) resource.tachHundredths = meterAfterRampIn(resource.tachHundredths ?? null, tachIn)
  await holdOrRelease(tx, resource, actor.orgUserId)
}
