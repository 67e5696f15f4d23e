import { sql } from 'kysely'
import { notify } from '../communication/notifications/notify.ts'
import { holdOrRelease } from '../fleet/maintenance/recompute-hold.ts'
import { lockResource } from '../fleet/resources/resource.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { findStationOfBooking } from '../scheduling/reservations/weather-ahead.queries.ts'
import { findCrossCountryLessons } from '../scheduling/rules/ratings.queries.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { assertIsOpen, assertLoggable, assertWritesLogs } from './flight-log.access.ts'
import { findLogRows, flightOf } from './flight-log.queries.ts'
import { logProblems } from './flight-log.rules.ts'
import { type Approach, type LogEntry, type LogFigures, loggedCounts, loggedTimes } from './flight-log.types.ts'
import { isBeyondSaid } from './solo-cross-country.rules.ts'

export interface LogInput {
  rows: LogEntry[]
  /** The reason for the correction of a closed log. */
  reason: string | null
}

/**
 * Writes the log of a flight. A sent row replaces the row of that person; the rows of other people do not change. A row that equals the
 * stored one is not written. The landings of the aircraft change by the difference.
 * Implements interface §Flight log.
 */
export async function writeFlightLog(
  tx: Tx,
  actor: Actor,
  id: number,
  { rows, reason }: LogInput,
): Promise<{ id: number }> {
  const booking = await lockReservation(tx, actor, id)
  assertWritesLogs(actor, booking, rows)
  assertLoggable(booking)
  assertTransition('writeLog', booking)
  assertIsOpen(actor, booking, reason, tx.now)
  const problems = problemsOf(booking, rows)
  if (problems.length > 0) throw invalidFields(problems)
  const stored = new Map((await findLogRows(tx.db, actor.organizationId, id)).map((row) => [row.orgUserId, row]))
  const changed = rows.filter((row) => !isSame(row, stored.get(row.orgUserId)))
  if (changed.length === 0) return { id }
  for (const row of changed) await write(tx, actor, id, row)
  const replaced = changed.flatMap(({ orgUserId }) => stored.get(orgUserId) ?? [])
  await countLandings(tx, actor, booking, landingsOf(changed) - landingsOf(replaced))
  await notifyOfRoute(tx, actor, booking, changed)
  emit(tx, actor, {
    kind: 'reservation.logged',
    subject: { kind: 'reservation', id },
    reason,
    before: { rows: replaced.map(evented) },
    after: { rows: changed.map(evented) },
  })
  return { id }
}

/** Tells who teaches the student when the log of a solo flight has more than the booking and its lesson said. */
async function notifyOfRoute(tx: Tx, actor: Actor, booking: ReservationRow, rows: readonly LogEntry[]): Promise<void> {
  const { id: subjectId, type, solo, lessons } = booking
  if (type !== 'solo') return
  const { organizationId, orgUserId: causedBy } = actor
  const home = await findStationOfBooking(tx.db, organizationId, subjectId)
  if (!rows.some((row) => isBeyondSaid(solo, home, row))) return
  const lessonIds = lessons.map(({ id }) => id)
  const planned = solo || lessonIds.length === 0 ? [] : await findCrossCountryLessons(tx.db, organizationId, lessonIds)
  if (planned.length === 0) notify(tx, { organizationId, kind: 'solo_beyond', subjectId, causedBy })
}

function problemsOf(booking: ReservationRow, rows: readonly LogEntry[]): { field: string; message: Sentence }[] {
  const flight = flightOf(booking)
  return rows.flatMap((row, index) => {
    const field = `rows.${index}.orgUserId`
    if (!booking.seats.some((seat) => seat.orgUserId === row.orgUserId)) {
      return [{ field, message: dispatchErrors.logNotAboard({ field }) }]
    }
    if (rows.findIndex((one) => one.orgUserId === row.orgUserId) < index) {
      return [{ field, message: dispatchErrors.logTwice({ field }) }]
    }
    return logProblems(flight, row, `rows.${index}.`)
  })
}

/** Inserts or replaces a person's row. The unique key of booking and person keeps one row under concurrent writes. */
async function write(tx: Tx, actor: Actor, reservationId: number, row: LogEntry): Promise<void> {
  const figures = {
    pic_tenths: row.pic,
    solo_tenths: row.solo,
    dual_received_tenths: row.dualReceived,
    instruction_tenths: row.instruction,
    cross_country_tenths: row.crossCountry,
    night_tenths: row.night,
    actual_instrument_tenths: row.actualInstrument,
    simulated_instrument_tenths: row.simulatedInstrument,
    simulator_tenths: row.simulator,
    day_takeoffs: row.dayTakeoffs,
    day_landings: row.dayLandings,
    day_full_stops: row.dayFullStops,
    night_takeoffs: row.nightTakeoffs,
    night_landings: row.nightLandings,
    night_full_stops: row.nightFullStops,
    holds: row.holds,
    approaches: sql<Approach[]>`${JSON.stringify(row.approaches)}::jsonb`,
    route: row.route,
    remarks: row.remarks,
    written_by: actor.orgUserId,
  }
  const key = { organization_id: actor.organizationId, reservation_id: reservationId, membership_id: row.orgUserId }
  await tx.db
    .insertInto('flight_log')
    .values({ ...key, ...figures })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'reservation_id', 'membership_id']).doUpdateSet(figures),
    )
    .execute()
}

/** Adds the difference of the logged landings to the landings of the aircraft. Each landing is logged by one pilot only. */
async function countLandings(tx: Tx, actor: Actor, { resource }: ReservationRow, more: number): Promise<void> {
  if (resource?.kind !== 'plane' || more === 0) return
  const aircraft = await lockResource(tx, actor, resource.id)
  aircraft.landings = Math.max(0, aircraft.landings + more)
  await holdOrRelease(tx, aircraft, actor.orgUserId)
}

function landingsOf(rows: readonly LogFigures[]): number {
  return rows.reduce((sum, { dayLandings, nightLandings }) => sum + dayLandings + nightLandings, 0)
}

const plain = [...loggedTimes, ...loggedCounts, 'route', 'remarks'] as const

function isSame(row: LogFigures, stored: LogFigures | undefined): boolean {
  if (!stored || plain.some((key) => row[key] !== stored[key])) return false
  const text = (one: LogFigures) =>
    one.approaches.map(({ kind, count, airport }) => `${kind}|${count}|${airport}`).join()
  return text(row) === text(stored)
}

/** Returns the part of a row that the event stores: figures and route, without the remarks. Implements docs/decisions/0021. */
function evented({ orgUserId, route, approaches, ...row }: LogEntry): Record<string, unknown> {
  const figures = [...loggedTimes, ...loggedCounts].filter((key) => row[key] !== 0).map((key) => [key, row[key]])
  return {
    orgUserId,
    ...Object.fromEntries(figures),
    ...(approaches.length > 0 && { approaches }),
    ...(route !== null && { route }),
  }
}
