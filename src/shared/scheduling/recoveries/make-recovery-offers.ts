import { sql } from 'kysely'
import { findReached } from '../../communication/notifications/reached.access.ts'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seatsOf, storedBooking } from '../reservations/reservation.access.ts'
import { findReservations, type ReservationRow } from '../reservations/reservation.queries.ts'
import { lockSlots } from '../reservations/slots.access.ts'
import { type BookingPlan, planBooking } from '../rules/plan-booking.ts'
import { insertOffer } from '../waitlist/insert-offer.ts'
import { warningsFor } from '../waitlist/make-offer.ts'
import type { OfferTools } from '../waitlist/offer-places.ts'
import { findMovedByOffers } from '../waitlist/open-offers.queries.ts'
import { findHeldMinutes } from '../waitlist/waiting.queries.ts'
import { isMoved, seatsAt } from './plan-rows.rules.ts'
import { findReachable, findZoneOf, type RecoveryRowRecord } from './recovery.queries.ts'
import type { UnofferedCause } from './recovery.types.ts'
import { recoveryOfferTimes } from './recovery-offer.rules.ts'

/** What became of asking for a row: its offer, or why its place was not offered. */
export interface AskedRow {
  reservationId: number
  offerId: number | null
  unoffered: UnofferedCause | null
}

/**
 * Offers the places of rows to the people who have to agree, one offer a booking. The booking stands until its offer is accepted. No offer is
 * made when its booking was moved since the plan, when the rules refuse the place by now, when the booking or the place has an offer, when the
 * time is too short, and to people without an account or whom no message reaches. Implements interface §Recovery.
 */
export async function makeRecoveryOffers(
  tx: Tx,
  { mailTokens, config }: OfferTools,
  actor: Actor,
  rows: readonly RecoveryRowRecord[],
): Promise<AskedRow[]> {
  if (rows.length === 0) return []
  const { organizationId } = actor
  const ids = rows.map((row) => row.reservationId)
  const bookings = await findReservations(tx.db, organizationId, {
    where: sql`r.live and r.id = any(${ids}::int[])`,
    orderBy: sql`r.starts_at, r.id`,
  })
  const asking = rows.flatMap(({ detail }) => detail.consent[0]?.orgUserId ?? [])
  const known = await findReachable(tx.db, organizationId, asking)
  const readers = [...known].map((orgUserId) => ({ orgUserId, makerId: actor.orgUserId }))
  const factor = config.RATE_LIMIT_FACTOR
  const found = await findReached(tx, { organizationId, kind: 'slot_offered', factor }, readers)
  const reached = new Set([...found].map(({ orgUserId }) => orgUserId))
  const seats = rows.flatMap(({ reservationId, detail }) => {
    const booking = bookings.find(({ id }) => id === reservationId)
    return booking ? seatsAt(seatsOf(booking.seats), detail.to!) : []
  })
  await lockSlots(tx.db, { resourceIds: rows.flatMap(({ detail }) => detail.to!.resourceId ?? []), seats })
  const moved = await findMovedByOffers(tx.db, organizationId, ids)
  const told = new Map<number, number>()
  const asked: AskedRow[] = []
  for (const { reservationId, detail } of rows) {
    const booking = bookings.find(({ id }) => id === reservationId)
    const orgUserId = detail.consent[0]?.orgUserId ?? null
    const refused = (unoffered: UnofferedCause) => asked.push({ reservationId, offerId: null, unoffered })
    if (!booking || isMoved(detail.from, booking)) refused('booking_changed')
    else if (orgUserId === null || !known.has(orgUserId)) refused('no_account')
    else if (!reached.has(orgUserId)) refused('not_reached')
    else if (moved.has(reservationId)) refused('offered')
    else {
      const made = await offer(tx, mailTokens, actor, { booking, orgUserId, to: detail.to! }, told.get(orgUserId))
      if (typeof made === 'string') refused(made)
      else {
        asked.push({ reservationId, offerId: made, unoffered: null })
        if (!told.has(orgUserId)) told.set(orgUserId, made)
      }
    }
  }
  return asked
}

type Place = NonNullable<RecoveryRowRecord['detail']['to']>

/** Returns the plan of a booking at another place as the desk would move it there, or why it is not offered. */
async function planAt(tx: Tx, actor: Actor, booking: ReservationRow, to: Place): Promise<BookingPlan | UnofferedCause> {
  const stored = storedBooking(booking)
  const stays = to.resourceId === stored.resourceId
  const plan = await planBooking(tx.db, actor, tx.now, {
    ...stored,
    start: new Date(to.start),
    end: new Date(to.end),
    resourceId: to.resourceId,
    locationId: stays ? stored.locationId : null,
    seats: seatsAt(stored.seats, to),
  })
  const refused = plan.judged.some(({ problems, denied }) => problems.length + denied.length > 0)
  if (plan.forbidden || refused) return 'refused'
  return plan.judged.some(({ endsOffers }) => endsOffers.length > 0) ? 'offered' : plan
}

async function offer(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  { booking, orgUserId, to }: { booking: ReservationRow; orgUserId: number; to: Place },
  partOf: number | undefined,
): Promise<number | UnofferedCause> {
  const { organizationId, organization } = actor
  const [startsAt, endsAt] = [new Date(to.start), new Date(to.end)]
  const { offerMinutes, quietHours } = organization.settings
  const zone = (await findZoneOf(tx.db, organizationId, to.resourceId)) ?? organization.timeZoneName
  const starts = [booking.starts_at, startsAt]
  const place = { start: startsAt, end: endsAt, resourceId: to.resourceId }
  const heldMinutes = await findHeldMinutes(tx.db, organizationId, place, tx.now)
  const times = recoveryOfferTimes({ now: tx.now, starts, offerMinutes, quietHours, zone, heldMinutes })
  if (!times) return 'too_late'
  const plan = await planAt(tx, actor, booking, to)
  if (typeof plan === 'string') return plan
  const terms = {
    source: 'recovery' as const,
    membershipId: orgUserId,
    type: booking.type,
    startsAt,
    endsAt,
    resourceId: to.resourceId,
    instructorId: to.instructorOrgUserId,
    movesId: booking.id,
    ...times,
    estimatedCents: plan.estimatedCents,
    warnings: warningsFor(orgUserId, plan.judged[0]?.warnings ?? []),
  }
  // A person gets one notification of all that is offered to them together.
  return insertOffer(tx, mailTokens, actor, terms, partOf)
}
