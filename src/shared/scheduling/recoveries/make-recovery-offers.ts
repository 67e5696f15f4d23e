import { sql } from 'kysely'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seatsOf, storedBooking } from '../reservations/reservation.access.ts'
import { findReservations, type ReservationRow } from '../reservations/reservation.queries.ts'
import { lockSlots } from '../reservations/slots.access.ts'
import { planBooking } from '../rules/plan-booking.ts'
import { insertOffer } from '../waitlist/insert-offer.ts'
import { isMoved, seatsAt } from './plan-rows.rules.ts'
import { findReachable, type RecoveryRowRecord } from './recovery.queries.ts'
import { recoveryOfferTimes } from './recovery-offer.rules.ts'

/** An offer that was made for a row of a plan. */
export interface MadeOffer {
  reservationId: number
  offerId: number
}

/**
 * Offers the places of rows to the people who have to agree, one offer a booking. The booking stands until its offer is accepted. No offer is
 * made when its booking was moved since the plan, when the rules refuse the place by now or another offer holds it, when the time is too
 * short, and to who has no address. Implements interface §Recovery.
 */
export async function makeRecoveryOffers(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  rows: readonly RecoveryRowRecord[],
): Promise<MadeOffer[]> {
  if (rows.length === 0) return []
  const { organizationId } = actor
  const bookings = await findReservations(tx.db, organizationId, {
    where: sql`r.live and r.id = any(${rows.map((row) => row.reservationId)}::int[])`,
    orderBy: sql`r.starts_at, r.id`,
  })
  const asked = rows.flatMap((row) => {
    const booking = bookings.find(({ id }) => id === row.reservationId)
    const orgUserId = row.detail.consent[0]?.orgUserId ?? null
    if (!booking || orgUserId === null || isMoved(row.detail.from, booking)) return []
    return [{ row, booking, orgUserId, to: row.detail.to! }]
  })
  const reachable = await findReachable(
    tx.db,
    organizationId,
    asked.map(({ orgUserId }) => orgUserId),
  )
  const seats = asked.flatMap(({ booking, to }) => seatsAt(seatsOf(booking.seats), to))
  await lockSlots(tx.db, { resourceIds: asked.flatMap(({ to }) => to.resourceId ?? []), seats })
  const made: MadeOffer[] = []
  for (const { booking, orgUserId, to } of asked) {
    if (!reachable.has(orgUserId) || !(await isAccepted(tx, actor, booking, to))) continue
    const offerId = await offer(tx, mailTokens, actor, { booking, orgUserId, to })
    if (offerId !== null) made.push({ reservationId: booking.id, offerId })
  }
  return made
}

type Place = NonNullable<RecoveryRowRecord['detail']['to']>

async function isAccepted(tx: Tx, actor: Actor, booking: ReservationRow, to: Place): Promise<boolean> {
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
  const isFree = plan.judged.every(
    ({ problems, denied, endsOffers }) => problems.length + denied.length + endsOffers.length === 0,
  )
  return !plan.forbidden && isFree
}

async function offer(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  { booking, orgUserId, to }: { booking: ReservationRow; orgUserId: number; to: Place },
): Promise<number | null> {
  const { organization } = actor
  const [startsAt, endsAt] = [new Date(to.start), new Date(to.end)]
  const { offerMinutes, quietHours } = organization.settings
  const zone = organization.timeZoneName
  const starts = [booking.starts_at, startsAt]
  const times = recoveryOfferTimes({ now: tx.now, starts, offerMinutes, quietHours, zone })
  if (!times) return null
  return insertOffer(tx, mailTokens, actor, {
    source: 'recovery',
    membershipId: orgUserId,
    type: booking.type,
    startsAt,
    endsAt,
    resourceId: to.resourceId,
    instructorId: to.instructorOrgUserId,
    movesId: booking.id,
    ...times,
  })
}
