import type { ChoiceProblem } from '../../platform/adapters/solver/solver.port.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** A place that a displaced booking may get: what it is worth, and the resource and people that it takes. */
export interface PlanPlace extends Interval {
  points: number
  takes: readonly string[]
  /** The bookings of the plan that stand there: each has to have another place first. */
  after?: readonly number[]
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
 * Returns the problem of giving each booking at most one place, so that no two take a resource or a person at the same time. A booking that
 * stands where another could go stays there unless it gets another place: its last choice is to stay, worth nothing. Of equally
 * good plans the booking with the lower id has the better place. Implements interface §Recovery.
 */
export function problemOf(rows: readonly PlanRow[]): ChoiceProblem {
  const byId = rows.map(({ id }) => id).sort((a, b) => a - b)
  const inTheWay = new Set(rows.flatMap(({ places }) => places.flatMap(({ after = [] }) => after)))
  const choices = rows.flatMap(({ id, places }, row) => [
    ...places.map((place, at) => ({ place, row, id, at })),
    ...(inTheWay.has(id) ? [{ place: null, row, id, at: places.length }] : []),
  ])
  const stays = choices.flatMap(({ place }, choice) => (place === null ? [choice] : []))
  return {
    rowOf: choices.map(({ row }) => row),
    points: choices.map(({ place }) => place?.points ?? 0),
    ties: choices.map(({ place, id, at }) =>
      place === null ? 0 : (byId.length - byId.indexOf(id)) * place.points * TIE_WEIGHT - at,
    ),
    atMostOne: [...clashesOf(choices), ...standingOf(choices)],
    stays,
  }
}

/** Returns the place of each row in a plan; null for a row that is left. */
export function placesChosen(
  rows: readonly PlanRow[],
  { rowOf, stays }: Pick<ChoiceProblem, 'rowOf' | 'stays'>,
  chosen: readonly number[],
): (number | null)[] {
  const staying = new Set(stays)
  const taken = new Map(chosen.filter((choice) => !staying.has(choice)).map((choice) => [rowOf[choice]!, choice]))
  return rows.map((_, row) => {
    const choice = taken.get(row)
    return choice === undefined ? null : choice - rowOf.indexOf(row)
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

/** A choice of a row: a place, or null to stay. */
interface Choice {
  place: PlanPlace | null
  row: number
  id: number
}

/**
 * Returns the sets of places that overlap at one moment and take the same resource or person. A set that another contains, or whose places
 * are all of one row, is left out.
 */
function clashesOf(choices: readonly Choice[]): number[][] {
  const takers = new Map<string, number[]>()
  for (const [choice, { place }] of choices.entries()) {
    for (const key of place?.takes ?? []) takers.set(key, [...(takers.get(key) ?? []), choice])
  }
  return [...takers.values()]
    .flatMap((some) => together(choices, some))
    .filter((set) => {
      const [first] = set
      return set.some((choice) => choices[choice]!.row !== choices[first!]!.row)
    })
}

/** Returns for each booking that stays the sets of places of another booking for which it has to leave. */
function standingOf(choices: readonly Choice[]): number[][] {
  const stays = choices.flatMap(({ place, id }, choice) => (place === null ? [{ id, choice }] : []))
  return stays.flatMap(({ id, choice: stay }) => {
    const after = [...choices.entries()].filter(([, { place }]) => place?.after?.includes(id))
    const byRow = Map.groupBy(after, ([, { row }]) => row)
    return [...byRow.values()].map((some) => [...some.map(([choice]) => choice), stay])
  })
}

/** Returns the largest sets of these places that overlap at one moment: where the next thing that happens is an end. */
function together(all: readonly Choice[], choices: readonly number[]): number[][] {
  const events = choices
    .flatMap((choice) => [
      { at: all[choice]!.place!.start.getTime(), starts: true, choice },
      { at: all[choice]!.place!.end.getTime(), starts: false, choice },
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
