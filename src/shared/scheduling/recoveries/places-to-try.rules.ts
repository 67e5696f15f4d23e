import type { Interval } from '../../platform/kernel/instants.ts'
import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { costOf } from './points.rules.ts'

const HALF_HOUR = 30
const DAY_MINUTES = 1_440

/** A booking that needs a place, with the aircraft and instructors that it may get, the preferred ones first. */
export interface Displaced extends Interval {
  id: number
  /** What it is worth to keep it. */
  worth: number
  /** Null alone: it needs no resource. */
  resources: readonly { id: number | null; otherModel: boolean }[]
  /** Null alone: it has no instructor. The first is its own, unless that one is away. */
  instructors: readonly { id: number | null; isOwn: boolean }[]
  /** Its times cannot change, as for a prepaid guest. */
  fixed: boolean
}

/** Where starts are looked for. */
export interface Around {
  zone: string
  /** The most local days before and after its own. */
  days: number
  /** The earliest start at another time. */
  notBefore: Date
}

/** A place to ask the rules about. */
export interface PlaceToTry extends Interval {
  resourceId: number | null
  instructorId: number | null
  points: number
}

/**
 * Returns the places of a booking by their points: the same time first, then other starts on the half hour of the organization's zone, then
 * other instructors. A place below one point is none. Implements interface §Recovery.
 */
export function* placesToTry(displaced: Displaced, around: Around): Generator<PlaceToTry> {
  const { start, end, worth, resources, instructors } = displaced
  const length = end.getTime() - start.getTime()
  const groups = [false, true]
    .map((otherModel) => ({
      otherModel,
      ids: resources.filter((one) => one.otherModel === otherModel).map(({ id }) => id),
    }))
    .filter(({ ids }) => ids.length > 0)
  const crews = startsFor(displaced, around).flatMap((at) =>
    instructors.flatMap(({ id: instructorId, isOwn }) =>
      groups.flatMap(({ otherModel, ids }) => {
        const points = worth - costOf({ from: start, to: at, otherInstructor: !isOwn, otherModel }, around.zone)
        return points < 1 ? [] : [{ at, instructorId, ids, points }]
      }),
    ),
  )
  // The sort is stable: of equal points the nearer start comes first, then the preferred instructor.
  for (const { at, instructorId, ids, points } of crews.sort((a, b) => b.points - a.points)) {
    const times = { start: at, end: new Date(at.getTime() + length) }
    for (const resourceId of ids) yield { ...times, resourceId, instructorId, points }
  }
}

/** Returns the starts of a booking, its own first and then by their distance. */
function startsFor({ start, fixed }: Displaced, { zone, days, notBefore }: Around): Date[] {
  if (fixed) return [start]
  const today = localDate(start, zone)
  const found = new Set<number>()
  for (let day = -days; day <= days; day++) {
    const date = addDays(today, day)
    for (let minute = 0; minute < DAY_MINUTES; minute += HALF_HOUR) {
      found.add(wallToInstant(date, minute, zone).getTime())
    }
  }
  const own = start.getTime()
  found.delete(own)
  const others = [...found].filter((at) => at >= notBefore.getTime())
  const distance = (at: number) => Math.abs(at - own)
  others.sort((a, b) => distance(a) - distance(b) || a - b)
  return [start, ...others.map((at) => new Date(at))]
}
