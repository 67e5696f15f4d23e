import type { Solver } from '../../platform/adapters/solver/solver.port.ts'
import { slicesOf } from '../../platform/db/stoppable.ts'
import { planTogether } from '../reservations/plan-together.rules.ts'
import { type AcceptedPlace, type DisplacedBooking, SLICE_MS } from './find-places.ts'
import { boundOf, gapPercent, type PlanRow, placesChosen, pointsOf, problemOf } from './plan-problem.rules.ts'
import type { PlanBasis } from './recovery.types.ts'
import { SEARCH_STEPS, startSearch } from './search.rules.ts'

/** The steps of a search between looks at the clock, and how often a plan is made anew without places that do not go together. */
const STEPS_AT_ONCE = 50
const MOST_ROUNDS = 4

/** The plan: for each booking its place, or null when it is left. */
export interface SolvedPlan {
  places: (AcceptedPlace | null)[]
  basis: PlanBasis
  gapPercent: number
}

/**
 * Returns the plan with the most points: by the solver, or by the search when the solver does not prove one in time or cannot start. The
 * bookings of a plan are then judged together, as applying does; a place that others of the plan exclude, such as by the duty hours of
 * an instructor, is taken out, and the plan is made anew. Implements interface §Recovery.
 */
export async function solvePlan(rows: readonly DisplacedBooking[], solver: Solver): Promise<SolvedPlan> {
  let left = rows.map(({ id, places }) => ({ id, places }))
  let bound: number | null = null
  let isProved = true
  for (let round = 0; ; round++) {
    const problem = problemOf(left)
    const proved: number[] | null = isProved ? await solver.solve(problem).catch(() => null) : null
    isProved = proved !== null
    const chosen = proved ?? (await search(problem))
    const places = placesChosen(left, problem, chosen).map((at, row) => (at === null ? null : left[row]!.places[at]!))
    const refused = refusedTogether(rows, places)
    bound ??= isProved ? pointsOf(problem, chosen) : boundOf(rows)
    if (refused.size === 0 || round === MOST_ROUNDS) {
      const kept = places.map((place) => (place && refused.has(place) ? null : place))
      const points = kept.reduce((sum, place) => sum + (place?.points ?? 0), 0)
      const gap = gapPercent(points, bound)
      return { places: kept, basis: isProved && gap === 0 ? 'exact' : 'search', gapPercent: gap }
    }
    left = left.map(({ id, places: some }) => ({ id, places: some.filter((place) => !refused.has(place)) }))
  }
}

/** The steps of a search for each booking of a slot, which has few. */
const STEPS_A_BOOKING = 3_000

/** Returns how many of the bookings the search finds no place for. A plan in which each has its best place needs no search. */
export async function countLost(rows: readonly PlanRow[]): Promise<number> {
  const problem = problemOf(rows)
  const isBest = (chosen: readonly number[]) => pointsOf(problem, chosen) === boundOf(rows)
  const chosen = await search(problem, Math.min(SEARCH_STEPS, rows.length * STEPS_A_BOOKING), isBest)
  return rows.length - chosen.length
}

async function search(
  problem: Parameters<typeof startSearch>[0],
  steps = SEARCH_STEPS,
  isBest: (chosen: readonly number[]) => boolean = () => false,
): Promise<number[]> {
  const running = startSearch(problem, steps)
  if (isBest(running.best())) return running.best()
  const endSlice = slicesOf(SLICE_MS)
  while (running.run(STEPS_AT_ONCE)) await endSlice()
  return running.best()
}

/** Returns the places of a plan that the rules refuse when all of its bookings move. */
function refusedTogether(
  rows: readonly DisplacedBooking[],
  places: readonly (AcceptedPlace | null)[],
): Set<AcceptedPlace> {
  const going = rows.flatMap(({ id }, row) => {
    const place = places[row]
    return place ? [{ id, place, choices: [place.facts] }] : []
  })
  const planned = planTogether(going)
  return new Set(going.flatMap(({ id, place }) => (planned.get(id)!.choice === null ? [place] : [])))
}
