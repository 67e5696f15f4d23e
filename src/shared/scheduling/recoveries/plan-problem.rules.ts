import type { ChoiceProblem } from '../../platform/adapters/solver/solver.port.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** A place that a displaced booking may get: what it is worth, and the resource and people that it takes. */
export interface PlanPlace extends Interval {
  points: number
  takes: readonly string[]
}

/** A displaced booking with its places, the preferred one first. */
export interface PlanRow {
  id: number
  places: readonly PlanPlace[]
}

/** The most places of a booking; the weight of a tie is greater than their number. */
export const MOST_PLACES = 60
const TIE_WEIGHT = 100

/**
 * Returns the problem of giving each booking at most one place, so that no two take a resource or a person at the same time. Of equally
 * good plans the booking with the lower id has the better place. Implements interface §Recovery.
 */
export function problemOf(rows: readonly PlanRow[]): ChoiceProblem {
  const byId = rows.map(({ id }) => id).sort((a, b) => a - b)
  const places = rows.flatMap(({ id, places: own }, row) => own.map((place, at) => ({ ...place, row, id, at })))
  return {
    rowOf: places.map(({ row }) => row),
    points: places.map(({ points }) => points),
    ties: places.map(({ points, id, at }) => (byId.length - byId.indexOf(id)) * points * TIE_WEIGHT - at),
    atMostOne: clashesOf(places),
  }
}

/** Returns the place of each row in a plan; null for a row that is left. */
export function placesChosen(rows: readonly PlanRow[], chosen: readonly number[]): (number | null)[] {
  const taken = new Set(chosen)
  let first = 0
  return rows.map(({ places }) => {
    const at = places.findIndex((_, place) => taken.has(first + place))
    first += places.length
    return at < 0 ? null : at
  })
}

/** Returns the sum of the points of a plan. */
export function pointsOf({ points }: Pick<ChoiceProblem, 'points'>, chosen: readonly number[]): number {
  return chosen.reduce((sum, choice) => sum + points[choice]!, 0)
}

/** Returns a sum of points that no plan exceeds: that of the best place of each row. */
export function boundOf(rows: readonly PlanRow[]): number {
  return rows.reduce((sum, { places }) => sum + Math.max(0, ...places.map(({ points }) => points)), 0)
}

/** Returns by how many percent of the bound a plan falls short of it, in tenths, rounded up. */
export function gapPercent(points: number, bound: number): number {
  return bound === 0 ? 0 : Math.ceil(((bound - points) / bound) * 1_000) / 10
}

type Numbered = PlanPlace & { row: number }

/**
 * Returns the sets of places that overlap at one moment and take the same resource or person. A set that another contains, or whose places
 * are all of one row, is left out.
 */
function clashesOf(places: readonly Numbered[]): number[][] {
  const takers = new Map<string, number[]>()
  for (const [choice, { takes }] of places.entries()) {
    for (const key of takes) takers.set(key, [...(takers.get(key) ?? []), choice])
  }
  return [...takers.values()]
    .flatMap((choices) => together(places, choices))
    .filter((set) => {
      const [first] = set
      return set.some((choice) => places[choice]!.row !== places[first!]!.row)
    })
}

/** Returns the largest sets of these places that overlap at one moment: where the next thing that happens is an end. */
function together(places: readonly Numbered[], choices: readonly number[]): number[][] {
  const events = choices
    .flatMap((choice) => [
      { at: places[choice]!.start.getTime(), starts: true, choice },
      { at: places[choice]!.end.getTime(), starts: false, choice },
    ])
    .sort((a, b) => a.at - b.at || Number(a.starts) - Number(b.starts))
  const sets: number[][] = []
  const open = new Set<number>()
  let grew = false
  for (const { starts, choice } of events) {
    if (starts) open.add(choice)
    else {
      if (grew) sets.push([...open].sort((a, b) => a - b))
      open.delete(choice)
    }
    grew = starts
  }
  return sets
}
