import type { Interval } from '../../platform/kernel/instants.ts'
import type { Steps } from '../../platform/kernel/steps.ts'
import { wallToInstant } from '../../platform/kernel/zones.ts'
import { checksOf } from '../rules/judge.rules.ts'
import { GRID_MS, gridAt, type Opening, type OpeningsFacts, slotsAt, withWarnings } from './openings.rules.ts'

/** The hours of a day in which bookings start, and the number of equal parts into which they are cut. */
interface DayParts {
  earliestMinute?: number | undefined
  latestMinute?: number | undefined
  count: number
}

/** The most resources of one start. */
const MOST_RESOURCES = 50
const LAST_MINUTE = 1439

/**
 * Returns the possible starts of a local day, from the earliest minute to the latest one, in equal parts. A part is empty
 * when a clock change leaves it out.
 */
export function partsOfDay(
  date: string,
  zone: string,
  { earliestMinute = 0, latestMinute = LAST_MINUTE, count }: DayParts,
): Interval[] {
  const minutes = latestMinute + 1 - earliestMinute
  const instantAt = (at: number) => wallToInstant(date, earliestMinute + Math.ceil((minutes * at) / count), zone)
  let start = instantAt(0)
  return Array.from({ length: count }, (_, at) => {
    // A time that a clock change skips is later than the times after it.
    const end = new Date(Math.max(start.getTime(), instantAt(at + 1).getTime()))
    const part = { start, end }
    start = end
    return part
  })
}

/** A start of a day: its first opening, with the ids of all resources that are free then. */
export interface StartOfDay extends Opening {
  resourceIds: number[]
}

/**
 * Returns at most `most` starts of a day, in order, each with its first opening: the first start of each part that has one, then
 * the earliest others. Implements interface §Booking rules (`startsPerDay`).
 */
export function* startsOfDay(facts: OpeningsFacts, parts: readonly Interval[], most: number): Steps<StartOfDay[]> {
  const checks = checksOf(facts)
  const found: StartOfDay[] = []
  const left: Interval[] = []
  for (const part of parts) {
    const next = yield* take(part, found.length + 1)
    if (next !== null) left.push({ start: new Date(next), end: part.end })
  }
  for (const part of left) yield* take(part, most)
  return found.toSorted((one, other) => one.start.getTime() - other.start.getTime())

  /** Adds starts of a part until so many are found. Returns the first start that is left; null when there is none. */
  function* take(part: Interval, until: number): Steps<number | null> {
    for (const at of gridOf(part)) {
      if (found.length >= until) return at
      const slots = yield* slotsAt(facts, new Date(at), MOST_RESOURCES, checks)
      const [first] = slots
      const resourceIds = slots.flatMap(({ resource }) => resource?.id ?? [])
      if (first) found.push({ ...withWarnings(facts, first, checks), resourceIds })
    }
    return null
  }
}

function* gridOf({ start, end }: Interval): Iterable<number> {
  for (let at = gridAt(start).getTime(); at < end.getTime(); at += GRID_MS) yield at
}
