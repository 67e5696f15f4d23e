import type { Refusal } from './lifecycle.states.ts'

/** The inputs of a cancellation: the organization's policy, the caller, and the time. */
export interface CancellationFacts {
  now: Date
  start: Date
  category: string
  deskStaff: boolean
  settings: { cancellationNoticeHours: number; cancellationCategories: readonly string[] }
}

const HOUR_MS = 3_600_000

/**
 * Returns why a booking may not be cancelled under the organization's policy, or null when it may: the category is on
 * its list and the notice is kept. Desk staff cancel at any time. Implements interface §Reservation lifecycle.
 */
export function refuseCancellation({ now, start, category, deskStaff, settings }: CancellationFacts): Refusal | null {
  const { cancellationCategories: categories, cancellationNoticeHours: hours } = settings
  if (!categories.includes(category)) {
    return { status: 400, message: `category: must be one of ${categories.join(', ')}` }
  }
  const notice = start.getTime() - now.getTime()
  if (deskStaff || hours === 0 || notice >= hours * HOUR_MS) return null
  return {
    status: 400,
    message: `It is too late to cancel: this takes ${hours} ${hours === 1 ? 'hour' : 'hours'} of notice. Please call the desk.`,
  }
}

/** Returns a category for display: "no_show" becomes "No show". */
export function categoryLabel(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
