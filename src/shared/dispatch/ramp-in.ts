import { LockMode } from '@mikro-orm/core'
import { notify } from '../communication/notifications/notify.ts'
import { recomputeHold } from '../fleet/maintenance/recompute-hold.ts'
import { Resource } from '../fleet/resources/resource.entity.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { Conflict, Invalid } from '../platform/kernel/errors.ts'
import { recordEvent } from '../scheduling/reservations/record-event.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { Reservation } from '../scheduling/reservations/reservation.entity.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { type MeterRun, meterAfterRampIn, meterAnomalies, runningBackwards } from './meters.rules.ts'
import { mustBeSeated } from './must-be-seated.ts'

/** Readings in hundredths of an hour, the ground time of a dual in tenths. */
export interface RampIn {
  hobbsTimeIn: number
  tachTimeIn: number | null
  briefing: number | null
  confirmMeterAnomaly: boolean
}

/**
 * The aircraft is back: its readings are noted, and its own meters move forward to them; an inspection that they
 * reach grounds it.
 * @throws Invalid when it is not out, the caller is not aboard (desk staff ramp in what ended more than
 * 12 hours ago), or a reading runs backwards; Conflict METER_ANOMALY
 * when a reading looks like a typo and was not confirmed.
 */
export async function rampIn(tx: Tx, actor: Actor, id: number, input: RampIn): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (!isLeftOut(row, actor, tx.now)) mustBeSeated(row, actor)
  assertTransition('rampIn', row)
  const runs = runsOf(row, input)
  guardReadings(runs, row, input.confirmMeterAnomaly)
  const reservation = await tx.em.findOneOrFail(Reservation, { id, organizationId: actor.organizationId })
  const [hobbsIn, tachIn] = [readingIn(runs, 'hobbs'), readingIn(runs, 'tach')]
  tx.em.assign(reservation, {
    rampedInAt: tx.now,
    hobbsIn,
    tachIn,
    ...(input.briefing !== null && { briefingTenths: input.briefing }),
  })
  await advanceMeters(tx, actor, row.resource?.id ?? 0, { hobbsIn, tachIn })
  recordEvent(tx, actor, id, { action: 'ramped_in', after: { hobbsIn, tachIn } })
  notify(tx, { organizationId: actor.organizationId, kind: 'review_needed', subjectId: id, causedBy: actor.orgUserId })
  return { id }
}

/** How long after its end a booking that is still out may be ramped in by the desk, in hours. */
const LEFT_OUT_HOURS = 12

/** Whether the desk may ramp a booking in that nobody aboard did: its aircraft could not leave again otherwise. */
function isLeftOut(row: ReservationRow, actor: Actor, now: Date): boolean {
  return is(actor, deskStaff) && now.getTime() - row.ends_at.getTime() > LEFT_OUT_HOURS * 3_600_000
}

function runsOf(row: ReservationRow, input: RampIn): MeterRun[] {
  const runs: MeterRun[] = [{ meter: 'hobbs', out: row.hobbs_out ?? 0, in: input.hobbsTimeIn }]
  if (row.tach_out === null) return runs
  if (input.tachTimeIn === null) throw new Invalid('tachTimeIn: is required for an aircraft')
  return [...runs, { meter: 'tach', out: row.tach_out, in: input.tachTimeIn }]
}

/**
 * @throws Invalid for a reading that runs backwards; Conflict METER_ANOMALY with what looks wrong, unless the caller
 * says that it is right.
 */
export function guardReadings(runs: readonly MeterRun[], row: ReservationRow, confirmed: boolean): void {
  const problems = runningBackwards(runs)
  if (problems.length > 0) {
    throw new Invalid(problems.map((problem) => problem.message).join('; '), undefined, { problems })
  }
  if (confirmed) return
  const anomalies = meterAnomalies(runs, { start: row.starts_at, end: row.ends_at })
  if (anomalies.length > 0) {
    throw new Conflict(
      'The reading looks like a typo. Please check it, and confirm it if it is right.',
      'METER_ANOMALY',
      { anomalies },
    )
  }
}

function readingIn(runs: readonly MeterRun[], meter: MeterRun['meter']): number | null {
  return runs.find((run) => run.meter === meter)?.in ?? null
}

async function advanceMeters(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  resourceId: number,
  readings: { hobbsIn: number | null; tachIn: number | null },
): Promise<void> {
  const resource = await tx.em.findOneOrFail(
    Resource,
    { id: resourceId, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  const { hobbsIn, tachIn } = readings
  if (hobbsIn !== null) resource.hobbsHundredths = meterAfterRampIn(resource.hobbsHundredths ?? null, hobbsIn)
  if (tachIn !== null) resource.tachHundredths = meterAfterRampIn(resource.tachHundredths ?? null, tachIn)
  await recomputeHold(tx, organizationId, resourceId, orgUserId)
}
