import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { checksOf, judge } from '../rules/judge.rules.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import type { Problem } from '../rules/problems.ts'
import { loadFactsTogether } from './load-facts-together.ts'
import { storedBooking } from './reservation.access.ts'
import { findReservations, type ReservationRow } from './reservation.queries.ts'

/** A future booking that would be refused today, with its problems and warnings. */
export interface BookingAtRisk {
  row: ReservationRow
  problems: Problem[]
  warnings: Problem[]
}

/** The filter of future bookings: those that start in a window, at these locations. */
export interface AheadFilter extends Interval {
  locationIds?: readonly number[] | undefined
}

/** The number of bookings whose facts are loaded at once. */
const JUDGED_AT_ONCE = 500

/** The rules on the caller, and those that apply only when a booking is made. */
const notAsked: readonly string[] = ['booking_limits', 'type_not_allowed', 'minimum_balance', 'pilot_minimums']

/**
 * Judges the future bookings at their starts, and returns those that would be refused: the aircraft is grounded since,
 * a medical ends before, time off was entered later. An override that is in force meets a problem. Rules on the caller
 * are left out; the caller's roles decide which details are shown. Implements interface §Dispatch (at risk).
 */
export async function judgeAhead(
  db: Db,
  caller: BookingPrincipal,
  now: Date,
  { start, end, locationIds }: AheadFilter,
): Promise<BookingAtRisk[]> {
  const where = [
    sql`r.live and r.ramped_out_at is null and r.briefing_tenths is null and r.starts_at > ${now}`,
    sql`r.starts_at >= ${start} and r.starts_at < ${end}`,
    ...(locationIds ? [sql`r.location_id = any(${locationIds})`] : []),
  ]
  const rows = await findReservations(db, caller.organizationId, {
    where: sql.join(where, sql` and `),
    orderBy: sql`r.starts_at, r.id`,
  })
  const found: BookingAtRisk[] = []
  for (let first = 0; first < rows.length; first += JUDGED_AT_ONCE) {
    found.push(...(await judgeTogether(db, caller, now, rows.slice(first, first + JUDGED_AT_ONCE))))
  }
  return found
}

async function judgeTogether(
  db: Db,
  caller: BookingPrincipal,
  now: Date,
  rows: readonly ReservationRow[],
): Promise<BookingAtRisk[]> {
  const factsOf = await loadFactsTogether(db, caller, now, rows.map(storedBooking))
  return rows.flatMap((row) => {
    const facts = factsOf(storedBooking(row))
    const { problems, warnings } = judge(
      facts,
      checksOf(facts).filter(({ key }) => !notAsked.includes(key)),
    )
    return problems.length > 0 ? [{ row, problems, warnings }] : []
  })
}
