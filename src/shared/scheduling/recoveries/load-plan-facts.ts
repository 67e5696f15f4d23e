import { sql } from 'kysely'
import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { findInstructors } from '../openings/candidates.queries.ts'
import { loadFactsTogether } from '../reservations/load-facts-together.ts'
import { storedBooking } from '../reservations/reservation.access.ts'
import { findReservations, type ReservationRow } from '../reservations/reservation.queries.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import type { BookingToPlan } from '../rules/booking-input.types.ts'
import type { ResourceChoice } from './consent.rules.ts'
import { type BookingWorth, findResourceChoices, findTaken, findWorth, type TakenBooking } from './displaced.queries.ts'
import type { RecoveryToPlan } from './recovery.types.ts'

/** The most bookings of one recovery. */
export const MOST_DISPLACED = 200
const DAY_MS = 86_400_000

/** All that a plan is made of, read in one transaction. */
export interface PlanFacts {
  actor: Actor
  now: Date
  recovery: RecoveryToPlan
  bookings: readonly (TakenBooking & { row: ReservationRow; worth: BookingWorth })[]
  resources: readonly ResourceChoice[]
  /** The instructors of the organization by name. */
  instructorIds: readonly number[]
  /** Returns the facts of the rules for a booking at a place within reach. */
  factsOf(booking: BookingToPlan): BookingFacts & { locationOfResource: number | null }
}

/**
 * Reads the bookings that a cause may take, and the facts of all places within reach. The rules judge for the desk, whoever asks. Locks nothing.
 */
export async function loadPlanFacts(
  tx: Pick<Tx, 'db' | 'now'>,
  asking: Actor,
  recovery: RecoveryToPlan,
): Promise<PlanFacts> {
  const actor = is(asking, deskStaff) ? asking : { ...asking, roles: roleFlags({ dispatcher: true }) }
  const { organizationId, reach } = recovery
  const taken = await findTaken(tx.db, recovery, tx.now, MOST_DISPLACED)
  const ids = taken.map(({ id }) => id)
  const rows = await findReservations(tx.db, organizationId, {
    where: sql`r.id = any(${ids}::int[])`,
    orderBy: sql`r.starts_at, r.id`,
  })
  const worths = new Map((await findWorth(tx.db, organizationId, tx.now, ids)).map((one) => [one.id, one]))
  const flags = new Map(taken.map((one) => [one.id, one]))
  const resources = await findResourceChoices(tx.db, organizationId)
  const instructorIds = await findInstructors(tx.db, organizationId)
  const stored = rows.map(storedBooking)
  const toLoad = [...stored, ...atTheEnds(stored, reach.days), ...withInstructors(stored, reach, instructorIds)]
  const kinds = new Set(rows.flatMap(({ type }) => typeRules[type].resources as readonly string[]))
  const resourceIds = resources.filter(({ kind }) => kinds.has(kind)).map(({ id }) => id)
  const factsOf =
    toLoad.length > 0
      ? await loadFactsTogether(tx.db, actor, tx.now, toLoad, [], resourceIds)
      : () => Promise.reject(new Error('nothing is displaced')) as never
  return {
    actor,
    now: tx.now,
    recovery,
    bookings: rows.map((row) => ({ ...flags.get(row.id)!, row, worth: worths.get(row.id)! })),
    resources,
    instructorIds,
    factsOf,
  }
}

/** Returns bookings at the ends of the reach, so that the facts of all days between them are loaded. */
function atTheEnds(bookings: readonly BookingToPlan[], days: number): BookingToPlan[] {
  const by = (days + 1) * DAY_MS
  return bookings.flatMap((booking) =>
    [-by, by].map((offset) => ({
      ...booking,
      start: new Date(booking.start.getTime() + offset),
      end: new Date(booking.end.getTime() + offset),
    })),
  )
}

/** Returns bookings with the other instructors, so that their facts are loaded. */
function withInstructors(
  [first]: readonly BookingToPlan[],
  { instructors }: RecoveryToPlan['reach'],
  instructorIds: readonly number[],
): BookingToPlan[] {
  if (!first || instructors === 'own') return []
  return instructorIds.map((orgUserId) => ({ ...first, seats: [{ side: 'instructors', index: 0, orgUserId }] }))
}
