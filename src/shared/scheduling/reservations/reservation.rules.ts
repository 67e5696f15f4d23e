import { type ReservationType, type Side, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { Refusal } from './lifecycle.states.ts'

/** The inputs of a cancellation: the organization's policy, the caller, and the time. */
export interface CancellationFacts {
  now: Date
  start: Date
  category: string
  deskStaff: boolean
  /** When somebody last agreed to its place in the caller's name; null or absent when nobody did. */
  givenAt?: Date | null
  /** The local date of the booking, for the message when one of several bookings is refused. */
  date?: string
  settings: { cancellationNoticeHours: number; cancellationCategories: readonly string[] }
}

const HOUR_MS = 3_600_000
/** How long, and until when before the start, whoever was agreed for may cancel whatever the notice. */
const UNDO_MS = 24 * HOUR_MS
const UNDO_BEFORE_START_MS = 2 * HOUR_MS

/**
 * Returns why a booking may not be cancelled under the organization's policy; null when it may. The category must be on the
 * policy's list, and the required notice must be given, except by desk staff, and by whom somebody agreed for a short time ago. Implements
 * interface §Reservation lifecycle.
 */
export function refuseCancellation({
  now,
  start,
  category,
  deskStaff,
  givenAt = null,
  date,
  settings,
}: CancellationFacts): Refusal | null {
  const { cancellationCategories: categories, cancellationNoticeHours: hours } = settings
  if (!categories.includes(category)) {
    return {
      status: 400,
      message: schedulingErrors.categoryUnknown({ field: 'category', categories: categories.join(', ') }),
    }
  }
  const notice = start.getTime() - now.getTime()
  if (deskStaff || hours === 0 || notice >= hours * HOUR_MS) return null
  if (mayUndo({ now, start, givenAt })) return null
  const message = date
    ? schedulingErrors.tooLateToCancelOn({ date, hours })
    : schedulingErrors.tooLateToCancel({ hours })
  return { status: 400, message }
}

/**
 * Returns whether whoever was agreed for may take it back. Implements interface §Reservation lifecycle.
 */
export function mayUndo({ now, start, givenAt }: { now: Date; start: Date; givenAt: Date | null }): boolean {
  return givenAt !== null && now <= undoUntil({ start, givenAt })
}

/** Returns until when whoever was agreed for may take it back: for 24 hours, until 2 hours before the start. */
export function undoUntil({ start, givenAt }: { start: Date; givenAt: Date }): Date {
  return new Date(Math.min(givenAt.getTime() + UNDO_MS, start.getTime() - UNDO_BEFORE_START_MS))
}

/** Returns a category for display: "no_show" becomes "No show". */
export function categoryLabel(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the value of `remindedFor` for a new or moved booking. It is the start when the reminder window of `hoursBefore`
 * hours has already begun, because the people on the booking are notified of it now; otherwise null, so that a reminder
 * follows.
 */
export function reminderDoneAt(now: Date, start: Date, hoursBefore: number): Date | null {
  return start.getTime() - now.getTime() <= hoursBefore * HOUR_MS ? start : null
}

/**
 * Returns whether the side of a booking falls below its minimum when one person leaves it. Implements
 * interface §Reservations rule 4.
 */
export function isRequiredCrew(type: ReservationType, sides: readonly Side[], leaving: Side): boolean {
  const [least] = typeRules[type].sides[leaving] ?? [0, 0]
  return sides.filter((side) => side === leaving).length - 1 < least
}
