/** One stretch of a standing weekly pattern: day 1 is Monday, minutes count from local midnight, 1440 is its end. */
export interface PatternItem {
  dayOfWeek: number
  startMinute: number
  endMinute: number
}

/**
 * What is wrong with a weekly pattern: an item that does not end after it begins, or one that overlaps an earlier one
 * of its day. Items that only touch are fine. Each problem names the item by its place in the list, in its message first.
 */
export function patternProblems(items: readonly PatternItem[]): { field: string; message: string }[] {
  return items.flatMap((item, index) => {
    if (item.startMinute >= item.endMinute) {
      const field = `availability.${index}.endMinute`
      return [{ field, message: `${field}: must be after startMinute` }]
    }
    const other = items.findIndex((earlier, at) => at < index && overlap(earlier, item))
    if (other === -1) return []
    const field = `availability.${index}`
    return [{ field, message: `${field}: overlaps availability.${other} on the same day` }]
  })
}

function overlap(a: PatternItem, b: PatternItem): boolean {
  return a.dayOfWeek === b.dayOfWeek && a.startMinute < b.endMinute && b.startMinute < a.endMinute
}
