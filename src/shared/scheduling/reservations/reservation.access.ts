import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, staff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/kernel/errors.ts'
import { seal } from '../../platform/seals/seal.ts'
import { Reservation } from '../reservations.tables.ts'
import type { BookingToPlan, SeatInput } from '../rules/booking-input.types.ts'
import { isInForce } from '../rules/override.rules.ts'
import type { KeptOverride } from '../rules/override.types.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { type LifecycleFacts, type Refusal, refusalOf, type Trigger } from './lifecycle.states.ts'
import type { Seated } from './place.rules.ts'
import { findFlight, findReservations, type ReservationRow, type ReservationSelection } from './reservation.queries.ts'

/** A booking with all facts that rules need, and the entity through which it is changed. */
export interface LockedReservation extends ReservationRow {
  entity: Reservation
}

/**
 * Returns the current booking, locked until the commit. A separate statement takes the lock first, because a statement that
 * waits for a lock still reads the signatures and invoices from before the wait.
 * @throws NotFound when there is no such booking.
 */
export async function lockReservation(tx: Tx, actor: Actor, id: number): Promise<LockedReservation> {
  const entity = await lockEntity(tx, actor, id)
  const row = entity && (await findFlight(tx.db, actor.organizationId, id))
  if (!row) throw schedulingErrors.noSuchBooking()
  return { ...row, entity }
}

/** Returns the booking's entity alone, locked until the commit; null when the organization has none with this id. */
export function lockEntity(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  id: number,
): Promise<Reservation | null> {
  return tx.em.findOne(Reservation, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/**
 * Returns the bookings of a series in order, locked until the commit; none when the organization has no such series.
 */
export function lockSeries(tx: Tx, { organizationId }: Actor, seriesId: number): Promise<LockedReservation[]> {
  const selection = { where: sql`r.series_id = ${seriesId}`, orderBy: sql`r.series_index` }
  return lockAll(tx, { organizationId, seriesId }, selection)
}

/** Returns these bookings of the organization by start, locked until the commit. */
export function lockReservations(
  tx: Tx,
  { organizationId }: Actor,
  ids: readonly number[],
): Promise<LockedReservation[]> {
  const selection = { where: sql`r.id = any(${ids})`, orderBy: sql`r.starts_at, r.id` }
  return lockAll(tx, { organizationId, id: { $in: [...ids] } }, selection)
}

async function lockAll(
  tx: Tx,
  which: { organizationId: number; seriesId?: number; id?: { $in: number[] } },
  selection: ReservationSelection,
): Promise<LockedReservation[]> {
  const entities = await tx.em.find(Reservation, which, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
    orderBy: { id: 'asc' },
  })
  const entityOf = new Map(entities.map((entity) => [entity.id, entity]))
  const rows = await findReservations(tx.db, which.organizationId, selection)
  return rows.flatMap((row) => {
    const entity = entityOf.get(row.id)
    return entity ? [{ ...row, entity }] : []
  })
}

/** Checks that the booking's status allows a trigger. */
export function assertTransition(
  trigger: Trigger,
  row: ReservationRow,
  facts: Partial<ReturnType<typeof lifecycleOf>> = {},
): void {
  const refusal = refusalOf(trigger, { ...lifecycleOf(row), ...facts })
  if (refusal) throw refused(refusal)
}

/** Returns the error of a refusal. */
export function refused({ status, message, code }: Refusal): AppError {
  return new AppError(status, message, code)
}

type WhoseBooking = Pick<ReservationRow, 'created_by'> & { seats: readonly { orgUserId: number | null }[] }

/** Returns whether a member belongs to the booking party: seated on the booking, its creator, or staff. */
export function isBookingParty(row: WhoseBooking, actor: Actor): boolean {
  const seated = row.seats.some((seat) => seat.orgUserId === actor.orgUserId)
  return seated || row.created_by === actor.orgUserId || is(actor, staff)
}

/** Returns whether a member pays an invoice of a booking. */
export const paysFor = ({ invoices }: Pick<ReservationRow, 'invoices'>, orgUserId: number): boolean =>
  invoices.some((invoice) => invoice.stands && invoice.orgUserId === orgUserId)

/**
 * Returns whether a member may ramp a booking out or in: seated on it, or desk staff where `deskRamps` is set. Implements
 * interface §Dispatch.
 */
export function mayRamp(row: Pick<WhoseBooking, 'seats'>, actor: Actor): boolean {
  const seated = row.seats.some((seat) => seat.orgUserId === actor.orgUserId)
  return seated || (actor.organization.settings.deskRamps && is(actor, deskStaff))
}

/** Checks that the actor belongs to the booking party: seated on the booking, its creator, or staff. */
export function assertBookingParty(row: WhoseBooking, actor: Actor): void {
  if (!isBookingParty(row, actor)) throw schedulingErrors.notOnBooking()
}

/**
 * Checks that the actor may make a booking that is paid in advance. Only staff may, so that nobody sets their own price,
 * unless the setting `prepaidBy` is `anyone`.
 * @throws Forbidden for other members.
 */
export function assertSetsPrice(actor: Actor, collectionStyle: ReservationRow['collection_style']): void {
  if (collectionStyle !== 'prepaid_fixed' || is(actor, staff)) return
  if (actor.organization.settings.prepaidBy === 'anyone') return
  throw schedulingErrors.priceForStaff()
}

/** Returns the facts of a loaded booking for the lifecycle table. */
export function lifecycleOf(row: ReservationRow): LifecycleFacts {
  return {
    cancelledAt: row.cancelled_at,
    rampedOutAt: row.ramped_out_at,
    rampedInAt: row.ramped_in_at,
    briefed: row.ramped_out_at === null && row.briefing_tenths !== null,
    signedOffAt: row.signed_off_at,
    billed: row.invoices.some(({ stands }) => stands),
  }
}

/** Returns whether a loaded booking has figures to bill. */
export function isFlown(row: ReservationRow): boolean {
  return row.ramped_in_at !== null || row.briefing_tenths !== null
}

/** The parts of a booking that the booking rules read. */
export type JudgedRow = Pick<
  ReservationRow,
  | 'id'
  | 'type'
  | 'time_zone_name'
  | 'starts_at'
  | 'ends_at'
  | 'passengers'
  | 'ifr'
  | 'solo'
  | 'collection_style'
  | 'overrides'
> & {
  resource: { id: number } | null
  location: { id: number } | null
  seats: readonly Seated[]
  lessons: readonly { id: number }[]
}

/** Returns a stored booking as input of the booking rules. For a change, the caller replaces parts of it. */
export function storedBooking(row: JudgedRow): BookingToPlan {
  return {
    id: row.id,
    type: row.type,
    zone: row.time_zone_name,
    start: row.starts_at,
    end: row.ends_at,
    resourceId: row.resource?.id ?? null,
    locationId: row.location?.id ?? null,
    passengers: row.passengers,
    ifr: row.ifr,
    solo: row.solo,
    seats: seatsOf(row.seats),
    lessonIds: row.lessons.map(({ id }) => id),
    recurrence: null,
    collectionStyle: row.collection_style,
    keptOverrides: row.overrides.map(keptOverride),
  }
}

/** Returns the overrides of a booking that are valid for its current resource, start and people. */
export function overridesInForce(row: ReservationRow): KeptOverride[] {
  const booking = { resourceId: row.resource?.id ?? null, start: row.starts_at, seats: row.seats }
  return row.overrides.map(keptOverride).filter((one) => isInForce(one, booking))
}

function keptOverride(one: ReservationRow['overrides'][number]): KeptOverride {
  return { ...one, startsAt: new Date(one.startsAt), at: new Date(one.at) }
}

/** Returns stored seats as input of the booking rules. */
export function seatsOf(seats: readonly Seated[]): SeatInput[] {
  return seats.map(({ side, orgUserId, guestId }, position) => {
    const index = seats.slice(0, position).filter((other) => other.side === side).length
    return orgUserId === null ? { side, index, guestId: guestId ?? 0 } : { side, index, orgUserId }
  })
}

/**
 * Deletes every signature on a locked booking, closes the objections to its correction and restarts its review reminders. With `settles`, which means that the caller
 * decides for the payers, deletes all charge notices too. Otherwise deletes only the unsent ones, which are written again.
 * Sent notices stay, so that nobody can restart their 24 hours or cause more mails by signing again within them; a flight that is
 * signed later has its payers notified again. Implements interface §Reservations rule 7.
 */
export async function clearSignatures(
  tx: Tx,
  actor: Actor,
  reservation: Reservation,
  { settles }: { settles: boolean },
): Promise<void> {
  const { organizationId, id } = reservation
  if (reservation.correctedAt) {
    await tx.db
      .updateTable('correction_objection')
      .set({ closed_at: tx.now, closed_by: actor.orgUserId })
      .where('organization_id', '=', organizationId)
      .where('reservation_id', '=', id)
      .where('closed_at', 'is', null)
      .execute()
  }
  tx.em.assign(reservation, {
    signedOffAt: null,
    signaturesClearedAt: tx.now,
    reviewReminderStage: 0,
    correctedBy: null,
    correctedAt: null,
    correctionReason: null,
    signedFigures: null,
  })
  const { numDeletedRows } = await tx.db
    .deleteFrom('confirmation')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) seal(tx, actor, 'reservation.reopened', { id, of: null })
  await tx.db
    .deleteFrom('charge_notice')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', id)
    .$if(!settles, (query) => query.where('notified_at', 'is', null))
    .execute()
}
