import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundOf,
  gapPercent,
  type PlanRow,
  placesChosen,
  pointsOf,
  problemOf,
} from '../../../src/shared/scheduling/recoveries/plan-problem.rules.ts'
import { startSearch } from '../../../src/shared/scheduling/recoveries/search.rules.ts'

const hour = (n: number) => new Date(n * 3_600_000)
const place = (start: number, points: number, ...takes: string[]) => ({
  start: hour(start),
  end: hour(start + 2),
  points,
  takes,
})

function found(rows: readonly PlanRow[], steps = 2_000): { points: number; places: (number | null)[] } {
  const problem = problemOf(rows)
  const search = startSearch(problem, steps)
  while (search.run(100));
  return { points: pointsOf(problem, search.best()), places: placesChosen(rows, problem, search.best()) }
}

/** Returns the highest sum of points by trying every plan; none takes a place where a booking stands that is left. */
function optimum(rows: readonly PlanRow[], taken: PlanRow['places'] = [], left: readonly number[] = []): number {
  const [row, ...rest] = rows
  if (!row) return taken.some(({ after = [] }) => after.some((id) => left.includes(id))) ? -Infinity : 0
  const clashes = (one: PlanRow['places'][number]) =>
    taken.some(
      (other) => other.start < one.end && other.end > one.start && other.takes.some((key) => one.takes.includes(key)),
    )
  const free = row.places.filter((one) => !clashes(one))
  const places = free.map((one) => one.points + optimum(rest, [...taken, one], left))
  return Math.max(optimum(rest, taken, [...left, row.id]), ...places)
}

const anyRow = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 6 }),
    points: fc.integer({ min: 1, max: 300 }),
    on: fc.integer({ min: 0, max: 2 }),
    by: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 5 },
)

describe('a plan of displaced bookings (§Recovery)', () => {
  test('a booking with one place keeps it, and the other goes where it earns less', () => {
    const rows = [
      { id: 1, places: [place(10, 100, 'aircraft 1'), place(12, 88, 'aircraft 1')] },
      { id: 2, places: [place(10, 90, 'aircraft 1')] },
    ]
    expect(found(rows)).toEqual({ points: 178, places: [1, 0] })
  })

  test('places that only adjoin, or take nothing in common, do not exclude each other', () => {
    const rows = [
      { id: 1, places: [place(8, 100, 'aircraft 1', 'person 1')] },
      { id: 2, places: [place(10, 100, 'aircraft 1', 'person 1')] },
      { id: 3, places: [place(8, 100, 'aircraft 2', 'person 2')] },
    ]
    expect(problemOf(rows).atMostOne).toEqual([])
    expect(found(rows).places).toEqual([0, 0, 0])
  })

  test('places that begin inside one another exclude each other', () => {
    const rows = [9, 10].map((start, id) => ({ id, places: [place(start, 100, 'person 1')] }))
    expect(problemOf(rows).atMostOne).toEqual([[0, 1]])
  })

  test('the sets exclude exactly the places that overlap and take the same', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 5 }), (asked) => {
        const rows = asked.map((places, id) => ({
          id,
          places: places.map(({ start, points, on, by }) => place(start, points, `aircraft ${on}`, `person ${by}`)),
        }))
        const { atMostOne, rowOf } = problemOf(rows)
        const all = rows.flatMap(({ places }) => places)
        for (const [a, one] of all.entries()) {
          for (const [b, other] of all.entries()) {
            if (rowOf[a] === rowOf[b]) continue
            const clash =
              one.start < other.end && other.start < one.end && one.takes.some((key) => other.takes.includes(key))
            expect(atMostOne.some((set) => set.includes(a) && set.includes(b))).toBe(clash)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  test('the search finds the best plan of small problems, and the bound is never below it', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 5 }), (asked) => {
        const rows = asked.map((places, id) => ({
          id,
          places: places.map(({ start, points, on, by }) => place(start, points, `aircraft ${on}`, `person ${by}`)),
        }))
        const best = optimum(rows)
        expect(found(rows, 20_000).points).toBe(best)
        expect(boundOf(rows)).toBeGreaterThanOrEqual(best)
      }),
      { numRuns: 100 },
    )
  })

  test('a place where another booking stands is taken only when that one goes elsewhere', () => {
    const rows = (second: PlanRow['places']) => [
      { id: 1, places: [{ ...place(11, 100, 'person 1'), after: [2] }, place(8, 80, 'person 1')] },
      { id: 2, places: second },
    ]
    expect(found(rows([place(13, 90, 'person 1')]))).toEqual({ points: 190, places: [0, 0] })
    expect(found(rows([]))).toEqual({ points: 80, places: [1, null] })
    const exchanged = [1, 2].map((id) => ({ id, places: [{ ...place(11 + id, 100), after: [3 - id] }] }))
    expect(found(exchanged)).toEqual({ points: 200, places: [0, 0] })
  })

  test('three bookings go where the next one stands, all at once', () => {
    const rows = [1, 2, 3].map((id) => ({ id, places: [{ ...place(8 + 2 * id, 100), after: [(id % 3) + 1] }] }))
    expect(found(rows)).toEqual({ points: 300, places: [0, 0, 0] })
  })

  test('the search finds the best plan of small problems in which bookings stand in the way, and takes no place under one', () => {
    const standing = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 2 })
    fc.assert(
      fc.property(fc.array(fc.tuple(anyRow, standing), { maxLength: 5 }), (asked) => {
        const rows = asked.map(([places, others], id) => ({
          id,
          places: places.map(({ start, points, on, by }, n) => ({
            ...place(start, points, `aircraft ${on}`, `person ${by}`),
            after: n % 2 === 0 ? others.filter((other) => other !== id && other < asked.length) : [],
          })),
        }))
        const { points, places } = found(rows, 20_000)
        const under = rows.flatMap((row, at) => (places[at] == null ? [] : row.places[places[at]]!.after))
        expect(under.filter((id) => places[id] === null)).toEqual([])
        expect(points).toBe(optimum(rows))
      }),
      { numRuns: 100 },
    )
  })

  test('the same problem has the same plan', () => {
    const rows = Array.from({ length: 8 }, (_, id) => ({
      id,
      places: [0, 1, 2].map((start) => place(start, 100 - start, `aircraft ${id % 3}`)),
    }))
    expect(found(rows, 300)).toEqual(found(rows, 300))
  })

  test('of equally good plans the lower id has the higher tie', () => {
    const rows = [9, 4].map((id) => ({ id, places: [place(10, 100, 'aircraft 1')] }))
    const { ties } = problemOf(rows)
    expect(ties[1]).toBeGreaterThan(ties[0]!)
  })

  test.each([
    { points: 200, bound: 200, gap: 0 },
    { points: 199, bound: 200, gap: 0.5 },
    { points: 999, bound: 1_000_000, gap: 100 },
    { points: 0, bound: 0, gap: 0 },
  ])('$points of at most $bound points are a gap of $gap percent', ({ points, bound, gap }) => {
    expect(gapPercent(points, bound)).toBe(gap)
  })
})
