import type { Refusal } from './lifecycle.states.ts'

/** What a cancellation is judged by: the organization's policy, who asks, and when. */
export interface CancellationFacts {
  now: Date
  start: Date
  category: string
  deskStaff: boolean
  settings: { cancellationNoticeHours: number; cancellationCategories: readonly string[] }
}

const HOUR_MS = 3_600_000

/**
 * Why a booking may not be cancelled under the organization's policy, or null when it may: the category is on its
 * list, and its notice is kept. Desk staff cancel at any time.
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

/** A category as people read it: "no_show" is "No show". */
export function categoryLabel(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
