import { dropFee } from '../billing/fees/fee.access.ts'
import { lockLiveInvoices } from '../billing/invoices/invoice.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { planBookable } from '../scheduling/openings/plan-with-fix.ts'
import { findShopTime } from '../scheduling/recoveries/find-shop-slots.ts'
import { countRestores } from '../scheduling/reservations/history.queries.ts'
import { statusOf } from '../scheduling/reservations/lifecycle.states.ts'
import {
  assertBookingParty,
  assertSetsPrice,
  type LockedReservation,
  lifecycleOf,
  lockReservation,
  storedBooking,
} from '../scheduling/reservations/reservation.access.ts'
import { findFlight } from '../scheduling/reservations/reservation.queries.ts'
import { reminderDoneAt } from '../scheduling/reservations/reservation.rules.ts'
import { mayRestore, refuseRestore } from '../scheduling/reservations/restore.rules.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import { type BookingWarning, warningsOf } from '../scheduling/rules/assert-bookable.ts'
import { endOverrides } from '../scheduling/rules/override.access.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import type { JudgedOccurrence } from '../scheduling/rules/plan-booking.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { endHeldPlaces } from './end-held-places.ts'
import { makeMeetingAnew } from './follow-reassigned.ts'

/**
 * Makes a cancelled booking live again, under its id, with its place in the series and its calendar entry. It is judged like a new
 * booking of the caller. Its overrides end, and a job makes its video call anew. Its cancellation stays in the history;
 * its fee is dropped, unless it is charged (`feeStands`).
 * Implements interface §Reservations, POST /reservations/{id}/restore.
 */
export async function restoreReservation(
  tx: Tx,
  actor: Actor,
  id: number,
  overrides: readonly GivenOverride[] = [],
): Promise<{ id: number; warnings: BookingWarning[]; feeStands: boolean }> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  await assertRestorable(tx, actor, row)
  await assertPriceStands(tx, actor, row)
  const booking = { ...storedBooking(row), id: null, keptOverrides: [], overrides }
  const resourceIds = booking.resourceId === null ? [] : [booking.resourceId]
  await lockSlots(tx.db, { resourceIds, seats: booking.seats }, { planOnce: true })
  const plan = await planBookable(tx, actor, booking, row.time_zone_name, findShopTime)
  const feeStands = await makeLive(tx, actor, row, plan.judged[0]!)
  await recordOverrides(tx, actor, plan, [id])
  return { id, warnings: warningsOf(plan, row.time_zone_name), feeStands }
}

/**
 * Makes a locked, cancelled booking live again at its place, which the rules have judged. Returns whether the fee of its cancellation was
 * charged and stands; another one is dropped.
 */
export async function makeLive(
  tx: Tx,
  actor: Actor,
  row: LockedReservation,
  judged: JudgedOccurrence,
): Promise<boolean> {
  const { organizationId } = actor
  const { id } = row
  const { upcomingReminderHours } = actor.organization.settings
  tx.em.assign(row.entity, {
    live: true,
    cancelledAt: null,
    cancelledBy: null,
    cancellationReason: null,
    cancellationCategory: null,
    remindedFor: reminderDoneAt(tx.now, row.starts_at, upcomingReminderHours),
    // Who was put back after the start is no no-show again.
    madeAfterStart: row.starts_at <= tx.now,
  })
  const feeStands = row.fees.length > 0 && (await dropFee(tx, actor, id))
  await makeMeetingAnew(tx, row)
  await tx.em.flush()
  await endHeldPlaces(tx, actor, [{ ...judged, id }])
  await endOverrides(tx, organizationId, id)
  emit(tx, actor, { kind: 'reservation.restored', subject: { kind: 'reservation', id } })
  return feeStands
}

/** Checks that the booking is cancelled, and that this member may restore it now. */
async function assertRestorable(tx: Tx, actor: Actor, row: LockedReservation): Promise<void> {
  const facts = { createdBy: row.created_by, cancelledBy: row.cancelled_by }
  if (row.cancelled_at === null) throw schedulingErrors.notCancelled({}, { status: statusOf(lifecycleOf(row)) })
  if (!mayRestore(facts, actor)) throw schedulingErrors.mayNotRestore()
  const refusal = refuseRestore(
    {
      ...facts,
      now: tx.now,
      start: row.starts_at,
      end: row.ends_at,
      cancelledAt: row.cancelled_at,
      category: row.cancellation_category,
      restores: await countRestores(tx.db, actor.organizationId, row.id),
    },
    actor,
  )
  if (refusal) throw refusal
}

/**
 * Checks that a prepaid price was not given back. The cancellation gives back all but cash and checks, which stand until the desk
 * gives them back.
 */
async function assertPriceStands(tx: Tx, actor: Actor, row: LockedReservation): Promise<void> {
  assertSetsPrice(actor, row.collection_style)
  if (row.collection_style !== 'prepaid_fixed') return
  await lockLiveInvoices(tx, actor.organizationId, [row.id])
  const { invoices = [] } = (await findFlight(tx.db, actor.organizationId, row.id)) ?? {}
  const isPaid = invoices.some(({ stands, offlineCents, totalCents }) => stands && offlineCents >= totalCents)
  if (!isPaid) throw schedulingErrors.prepaidGivenBack()
}
