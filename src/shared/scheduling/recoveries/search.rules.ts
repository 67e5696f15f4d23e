import type { ChoiceProblem } from '../../platform/adapters/solver/solver.port.ts'

/** A search for a good plan, which is run in slices so that other work has its turn. */
export interface PlanSearch {
  /** Tries this many changes; returns false when the search is over. */
  run(steps: number): boolean
  /** Returns the choices of the best plan so far, in ascending order. */
  best(): number[]
}

/** The same seed and number of steps in every search: the same problem has the same plan. */
const SEED = 20_261_126
export const SEARCH_STEPS = 120_000
/** The loss in points that is accepted now and then, at the start and at the end. */
const [HOT, COLD] = [40, 0.5]
const NONE = -1
/** What a plan loses that gives no choice to a row which takes exactly one: more than all points together. */
const UNPLACED = 1_000_000

/**
 * Starts a search. It gives a row another choice, takes the rows that are in the way off theirs, gives each of these its best free one, and
 * keeps the change when the sum of points does not fall, or falls by little. Implements interface §Recovery.
 */
export function startSearch(problem: ChoiceProblem, steps = SEARCH_STEPS): PlanSearch {
  const { rowOf, points, stays } = problem
  const rows = choicesByRow(problem)
  const setsOf = setsByChoice(problem)
  const takenBy = new Int32Array(problem.atMostOne.length).fill(NONE)
  const chosen = new Int32Array(rows.length).fill(NONE)
  const random = randomFrom(SEED)
  const staying = new Set(stays.map((choice) => rowOf[choice]!))
  const worth = (row: number, choice: number) =>
    choice === NONE ? (staying.has(row) ? -UNPLACED : 0) : points[choice]!
  let [sum, most, step] = [-UNPLACED * stays.length, 0, 0]
  let best = chosen.slice()

  const put = (row: number, choice: number) => {
    const before = chosen[row]!
    if (before !== NONE) for (const set of setsOf[before]!) takenBy[set] = NONE
    if (choice !== NONE) for (const set of setsOf[choice]!) takenBy[set] = choice
    chosen[row] = choice
    sum += worth(row, choice) - worth(row, before)
  }
  const isFree = (choice: number) =>
    setsOf[choice]!.every((set) => takenBy[set] === NONE || rowOf[takenBy[set]!] === rowOf[choice])
  const placeBest = (row: number) => {
    const choice = rows[row]!.find(isFree)
    if (choice !== undefined && worth(row, choice) > worth(row, chosen[row]!)) put(row, choice)
  }
  const remember = () => {
    if (sum <= most) return
    most = sum
    best = chosen.slice()
  }

  const change = (heat: number) => {
    const row = Math.floor(random() * rows.length)
    const choices = rows[row]!
    if (choices.length === 0) return
    const choice = choices[Math.floor(random() ** 2 * choices.length)]!
    if (choice === chosen[row]) return
    const before = sum
    const undo: [number, number][] = [[row, chosen[row]!]]
    const away = new Set(setsOf[choice]!.map((set) => takenBy[set]!).filter((other) => other !== NONE))
    for (const other of away) {
      const otherRow = rowOf[other]!
      if (otherRow === row) continue
      undo.push([otherRow, other])
      put(otherRow, NONE)
    }
    put(row, choice)
    const moved = undo.slice(1).sort(([, a], [, b]) => points[b]! - points[a]!)
    for (const [other] of moved) placeBest(other)
    if (sum >= before || random() < Math.exp((sum - before) / heat)) {
      remember()
      return
    }
    for (const [one] of undo) put(one, NONE)
    for (const [one, choiceBefore] of undo) put(one, choiceBefore)
  }

  for (const choice of stays) put(rowOf[choice]!, choice)
  for (const row of rows.keys()) placeBest(row)
  remember()
  return {
    run(some) {
      for (const until = Math.min(step + some, steps); step < until && rows.length > 0; step++) {
        change(HOT * (COLD / HOT) ** (step / steps))
      }
      return step < steps && rows.length > 0
    },
    best: () => [...best].filter((choice) => choice !== NONE).sort((a, b) => a - b),
  }
}

/** Returns the choices of each row, the best first; of equal ones the first. */
function choicesByRow({ rowOf, points }: ChoiceProblem): number[][] {
  const rows: number[][] = Array.from({ length: (rowOf.at(-1) ?? -1) + 1 }, () => [])
  for (const [choice, row] of rowOf.entries()) rows[row]!.push(choice)
  for (const choices of rows) choices.sort((a, b) => points[b]! - points[a]! || a - b)
  return rows
}

function setsByChoice({ rowOf, atMostOne }: ChoiceProblem): number[][] {
  const sets: number[][] = rowOf.map(() => [])
  for (const [set, choices] of atMostOne.entries()) for (const choice of choices) sets[choice]!.push(set)
  return sets
}

/** Returns numbers from 0 to 1 that follow from a seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
