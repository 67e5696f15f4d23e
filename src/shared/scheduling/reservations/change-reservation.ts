import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { planWithFix } from '../openings/plan-with-fix.ts'
import { assertBookable, type BookingWarning, warningsOf } from '../rules/assert-bookable.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import type { GivenOverride } from '../rules/override.types.ts'
import type { BookingPlan } from '../rules/plan-booking.ts'
import { recordOverrides } from '../rules/record-overrides.ts'
import { assertBookingParty, assertTransition, lockReservation } from './reservation.access.ts'
import type { ReservationRow } from './reservation.queries.ts'
import { reminderDoneAt } from './reservation.rules.ts'
import { lockSlots } from './slots.access.ts'

/** The changes; what is left out stays. Null clears the notes. */
export interface ReservationChanges {
  title?: string | undefined
  notes?: string | null | undefined
  start?: Date | undefined
  end?: Date | undefined
  passengers?: number | undefined
  ifr?: boolean | undefined
  /** What the caller overrides of a move; nothing when left out. */
  overrides?: readonly GivenOverride[] | undefined
}

/**
 * Edits or moves a booking. A move, and a change of what it carries or how it is flown, runs every booking rule again, for
 * the member who makes it. A booking of a series changes alone. A body without changes writes nothing. `warnings` are those
 * of a move. Implements interface §Reservations.
 * @throws NotFound when the organization has no such booking.
 * @throws Forbidden for a caller who is not a booking party, and OVERRIDE_NOT_ALLOWED for an override that is needed and
 * not theirs to give.
 * @throws Conflict RESERVATION_RAMPED_OUT for a move after ramp-out.
 * @throws Invalid when it is cancelled, and with every problem of the move.
 */
export async function changeReservation(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: ReservationChanges,
): Promise<{ id: number; warnings: BookingWarning[] }> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  assertTransition('changeText', row)
  const { title = row.title, notes = row.notes, start = row.starts_at, end = row.ends_at } = changes
  const { passengers = row.passengers, ifr = row.ifr } = changes
  const isMoved = start.getTime() !== row.starts_at.getTime() || end.getTime() !== row.ends_at.getTime()
  const isJudged = isMoved || passengers !== row.passengers || ifr !== row.ifr
  const { overrides = [] } = changes
  const plan = isJudged ? await judgeMove(tx, actor, row, { start, end, passengers, ifr, overrides }) : null
  if (!plan && title === row.title && notes === row.notes) return { id, warnings: [] }
  const { upcomingReminderHours } = actor.organization.settings
  tx.em.assign(row.entity, { title, notes, passengers, ifr })
  if (isMoved) {
    const remindedFor = reminderDoneAt(tx.now, start, upcomingReminderHours)
    tx.em.assign(row.entity, { startsAt: start, endsAt: end, remindedFor })
  }
  emit(tx, actor, {
    kind: 'reservation.changed',
    subject: { kind: 'reservation', id },
    ...(isMoved && {
      before: { start: row.starts_at.toISOString(), end: row.ends_at.toISOString() },
      after: { start: start.toISOString(), end: end.toISOString() },
    }),
  })
  if (plan) await recordOverrides(tx, actor, plan, [id])
  return { id, warnings: plan ? warningsOf(plan, row.time_zone_name) : [] }
}

async function judgeMove(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  to: Required<Pick<ReservationChanges, 'start' | 'end' | 'passengers' | 'ifr' | 'overrides'>>,
): Promise<BookingPlan> {
  assertTransition('change', row)
  const seats = seatsOf(row)
  const resourceId = row.resource?.id ?? null
  await lockSlots(tx.db, { resourceIds: resourceId === null ? [] : [resourceId], seats })
  const booking = {
    ...to,
    id: row.id,
    type: row.type,
    zone: row.time_zone_name,
    resourceId,
    locationId: row.location?.id ?? null,
    seats,
    recurrence: null,
    collectionStyle: row.collection_style,
  }
  const plan = await planWithFix(tx.db, actor, tx.now, booking)
  assertBookable(plan, row.time_zone_name)
  return plan
}

function seatsOf({ seats }: ReservationRow): SeatInput[] {
  return seats.map(({ side, orgUserId, guestId }, position) => {
    const index = seats.slice(0, position).filter((other) => other.side === side).length
    return orgUserId === null ? { side, index, guestId: guestId ?? 0 } : { side, index, orgUserId }
  })
}
