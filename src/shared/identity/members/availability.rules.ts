import type { Sentence } from '../../platform/kernel/errors.ts'
import { identityErrors } from '../identity.errors.ts'

/** What a grounded member is kept from: every seat, or flying as pilot in command. */
export const groundedFor = ['all', 'pic'] as const
export type GroundedFor = (typeof groundedFor)[number]

/**
 * One interval of a weekly pattern. Day 1 is Monday; minutes count from local midnight, and 1440 is the end of the day.
 */
export interface PatternItem {
  dayOfWeek: number
  startMinute: number
  endMinute: number
}

/**
 * Returns the problems of a weekly pattern: an item that does not end after it starts, or that overlaps an earlier
 * item of its day. Adjacent items are valid. `field` is the item's path in the body, and the message starts with it.
 * Implements interface §Members, PATCH /users/availability.
 */
export function patternProblems(items: readonly PatternItem[]): { field: string; message: Sentence }[] {
  return items.flatMap((item, index) => {
    if (item.startMinute >= item.endMinute) {
      const field = `availability.${index}.endMinute`
      return [{ field, message: identityErrors.intervalReversed({ field }) }]
    }
    const other = items.findIndex((earlier, at) => at < index && overlap(earlier, item))
    if (other === -1) return []
    const field = `availability.${index}`
    return [{ field, message: identityErrors.intervalOverlaps({ field, other }) }]
  })
}

function overlap(a: PatternItem, b: PatternItem): boolean {
  return a.dayOfWeek === b.dayOfWeek && a.startMinute < b.endMinute && b.startMinute < a.endMinute
}
