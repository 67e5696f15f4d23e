import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { findReservation } from '../scheduling/reservations/one-reservation.queries.ts'
import type { BookingWarning } from '../scheduling/rules/assert-bookable.ts'
import { type LessonPlan, type LessonWarning, lessonIdsOf, planLessons } from '../training/enrollments/plan-lessons.ts'
import { changeReservation, type ReservationChanges } from './change-reservation.ts'

/**
 * Edits, moves or reassigns a booking, and plans its lessons.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
export async function changeBooking(
  tx: Tx,
  actor: Actor,
  id: number,
  { lessonId, lessons, ...changes }: ReservationChanges & LessonPlan,
): Promise<{ id: number; warnings: (BookingWarning | LessonWarning)[]; payersChanged: boolean }> {
  const plan = { lessonId, lessons }
  const isPlanned = lessonId !== undefined || lessons !== undefined
  const changed = await changeReservation(tx, actor, id, {
    ...changes,
    ...(isPlanned && { lessonIds: lessonIdsOf(plan) }),
  })
  if (!isPlanned) return changed
  const before = await findReservation(tx.db, actor.organizationId, id)
  if (!before) return changed
  const { type, seats } = before
  const studentIds = seats.flatMap(({ side, orgUserId }) => (side === 'students' ? (orgUserId ?? []) : []))
  const warnings = await planLessons(tx, actor, { ids: [id], type, studentIds }, plan)
  emit(tx, actor, { kind: 'reservation.lessons_planned', subject: { kind: 'reservation', id } })
  return { ...changed, warnings: [...changed.warnings, ...warnings] }
}
