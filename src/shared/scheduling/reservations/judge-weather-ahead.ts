import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { judge, weatherChecksOf } from '../rules/judge.rules.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import type { Problem } from '../rules/problems.ts'
import { loadFactsTogether } from './load-facts-together.ts'
import { storedBooking } from './reservation.access.ts'
import type { ReservationRow } from './reservation.queries.ts'
import { flightsToJudge } from './weather-ahead.queries.ts'

/**
 * Enqueues one notification per flight that starts within two hours and has people with weather limits. Whether the weather
 * is outside the limits is checked when the notification is delivered. A moved flight gets another one. Returns the number of
 * notifications. Implements interface §Booking rules (`pilot_minimums`).
 */
export function judgeWeatherAhead(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'reservation',
    join: flightsToJudge.join,
    due: flightsToJudge.due(tx.now),
    order: sql`r.starts_at`,
    mark: { weather_judged_for: sql`r.starts_at` },
    each: notifyAbout(tx, 'below_minimums'),
  })
}

/**
 * Returns the findings of the current weather against the weather limits of the people on a booking: problems, then warnings.
 */
export async function weatherFindings(
  db: Db,
  school: BookingPrincipal,
  now: Date,
  row: ReservationRow,
): Promise<Problem[]> {
  const booking = storedBooking(row)
  const factsOf = await loadFactsTogether(db, school, now, [booking])
  const facts = factsOf(booking)
  const { problems, warnings } = judge(facts, weatherChecksOf(facts))
  return [...problems, ...warnings]
}
