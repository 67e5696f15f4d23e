import { roleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { loadFactsTogether } from '../reservations/load-facts-together.ts'
import { type JudgedRow, storedBooking } from '../reservations/reservation.access.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { type Check, checksOf, outcomesOf } from '../rules/judge.rules.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import { findAhead } from './at-risk.queries.ts'
import { type Flag, findingsOf, flagOf } from './at-risk.rules.ts'

/** A future booking about which the rules find something: it would be refused today, or accepted with warnings. */
export interface FlaggedBooking {
  row: JudgedRow
  flag: Flag
}

/** The most bookings per batch: the rows and facts of a batch are loaded together. */
const JUDGED_AT_ONCE = 2_500

/**
 * The rules that are not checked again for a future booking: rules on the caller, and rules that apply only when a booking is
 * made.
 */
const notAsked: readonly string[] = [
  'booking_limits',
  'type_not_allowed',
  'minimum_balance',
  'payment_declined',
  'pilot_minimums',
]

/** The reader of findings `forOthers`: an instructor without desk rights, who may see fewer details. */
const others = { orgUserId: 0, roles: roleFlags({ instructor: true }) }

/**
 * Checks the future bookings among these against the booking rules, at their starts and on behalf of the school's desk.
 * Returns those that would be refused now, for example because the aircraft was grounded, a medical expires before the flight
 * or time off was entered later, and those that would only have warnings. A problem that a valid override covers does not count. Rules on the caller are not checked.
 * Implements interface §Dispatch (at risk).
 */
export async function judgeAhead(
  db: Db,
  school: BookingPrincipal,
  now: Date,
  reservationIds: readonly number[],
): Promise<FlaggedBooking[]> {
  const found: FlaggedBooking[] = []
  for (let first = 0; first < reservationIds.length; first += JUDGED_AT_ONCE) {
    const some = reservationIds.slice(first, first + JUDGED_AT_ONCE)
    const rows = await findAhead(db, school.organizationId, now, some)
    if (rows.length > 0) found.push(...(await judgeTogether(db, school, now, rows)))
  }
  return found
}

async function judgeTogether(
  db: Db,
  school: BookingPrincipal,
  now: Date,
  rows: readonly JudgedRow[],
): Promise<FlaggedBooking[]> {
  const bookings = rows.map(storedBooking)
  const factsOf = await loadFactsTogether(db, school, now, bookings)
  let checks: Check[] | undefined
  return rows.flatMap((row, n) => {
    const facts = knownFacts(() => factsOf(bookings[n]!))
    if (!facts) return []
    checks ??= checksOf(facts).filter(({ key }) => !notAsked.includes(key))
    const flag = judgeOne(row.id, facts, checks)
    return flag ? [{ row, flag }] : []
  })
}

/** Returns the flag of a booking; null when the rules find nothing. Runs a check for others only when it depends on the caller. */
function judgeOne(reservationId: number, facts: BookingFacts, checks: readonly Check[]): Flag | null {
  const found = checks.map((check) => findingsOf(outcomesOf(facts, [check])))
  const forDesk = found.flat()
  if (forDesk.length === 0) return null
  const asOthers = { ...facts, actor: others }
  const forOthers = checks.flatMap((check, n) =>
    check.dependsOnCaller ? findingsOf(outcomesOf(asOthers, [check])) : found[n]!,
  )
  return flagOf(reservationId, forDesk, forOthers)
}

/**
 * Returns the facts of a booking; null when a member on it has just left. The booking is checked again when the seat of the
 * member is freed.
 */
export function knownFacts<Facts>(load: () => Facts): Facts | null {
  try {
    return load()
  } catch (error) {
    if (error instanceof Invalid) return null
    throw error
  }
}
