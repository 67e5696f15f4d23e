import { BEFORE_FREE_END_MS, extendedByOutages } from '../../dispatch/no-show.rules.ts'
import { findOutages } from '../../dispatch/uptime.access.ts'
import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { findTimedByOthersAt } from '../../scheduling/reservations/history.queries.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { undoUntil } from '../../scheduling/reservations/reservation.rules.ts'
import {
  type CancellationTerms,
  cancellationTermsOf,
  isInsideFees,
  noticeStartOf,
  type Terms,
  termsOf,
} from './fee.rules.ts'

/**
 * Returns the terms of a booking as its payer reads them now: with the later end of the free time where an outage moved it, or where others booked
 * or moved it late. Null when no cancellation costs anything.
 */
export async function findTermsNow(
  db: Db,
  { organizationId, organization }: Actor,
  row: ReservationRow,
  now: Date,
): Promise<CancellationTerms | null> {
  const terms = termsOf(row, organization.settings)
  const start = noticeStartOf(row)
  const usual = terms && cancellationTermsOf(terms, { start, now })
  if (!usual || usual.freeUntil.getTime() - BEFORE_FREE_END_MS > now.getTime()) return usual
  const ends = await Promise.all([
    findFreeByOutageUntil(db, terms, { start, now }),
    findFreeAsGivenUntil(db, organizationId, row, terms),
  ])
  const last = Math.max(...ends.map((end) => end?.getTime() ?? 0))
  if (last <= usual.freeUntil.getTime()) return usual
  const freeUntil = new Date(last)
  return { ...cancellationTermsOf(terms, { start, now: last < now.getTime() ? now : freeUntil })!, freeUntil }
}

/** Returns until when an outage of the service before the end of the free time lets the booking be cancelled free of fee. */
export async function findFreeByOutageUntil(
  db: Db,
  terms: Terms,
  { start, now }: { start: Date; now: Date },
): Promise<Date | null> {
  const { freeUntil } = cancellationTermsOf(terms, { start, now }) ?? {}
  if (!freeUntil) return null
  const outages = await findOutages(db, new Date(freeUntil.getTime() - BEFORE_FREE_END_MS), now)
  return extendedByOutages(freeUntil, outages)
}

/**
 * Returns until when the payer cancels free of fee what others booked, seated or moved so late that there was no free time: whoever could not see
 * the terms before may do so as long as what was agreed in their name may be taken back. Null when there was free time.
 */
export async function findFreeAsGivenUntil(
  db: Db,
  organizationId: number,
  row: ReservationRow,
  terms: Terms,
): Promise<Date | null> {
  const { pays } = typeRules[row.type]
  const payers = row.seats.filter(({ side }) => side === pays)
  const members = payers.flatMap(({ orgUserId }) => (orgUserId === null ? [] : [orgUserId]))
  const paying = { side: pays, members, leading: payers[0]?.orgUserId ?? null }
  const givenAt = await findTimedByOthersAt(db, { organizationId, reservationId: row.id }, paying)
  if (givenAt === null || !isInsideFees(terms, noticeStartOf(row).getTime() - givenAt.getTime())) return null
  return undoUntil({ start: row.starts_at, givenAt })
}
