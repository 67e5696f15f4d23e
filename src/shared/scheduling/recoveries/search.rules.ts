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
const [HOT, COLD] = [100, 0.5]
const NONE = -1
/** What a plan loses that gives no choice to a row which takes exactly one: more than all points together. */
const UNPLACED = 1_000_000
/** The most rows that one change moves. */
const MOST_MOVED = 20

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

  /** Gives a row a choice, and takes the rows that are in its way off theirs. `before` gets what each of them had. Returns these rows. */
  const force = (row: number, choice: number, before: Map<number, number>): number[] => {
    const away = new Set(setsOf[choice]!.map((set) => takenBy[set]!).filter((other) => other !== NONE))
    const moved = [...away].map((other) => rowOf[other]!).filter((other) => other !== row)
    for (const one of [...moved, row]) if (!before.has(one)) before.set(one, chosen[one]!)
    for (const other of moved) put(other, NONE)
    put(row, choice)
    return moved
  }

  const change = (heat: number) => {
    const row = Math.floor(random() * rows.length)
    const choices = rows[row]!
    if (choices.length === 0) return
    const choice = choices[Math.floor(random() ** 2 * choices.length)]!
    if (choice === chosen[row]) return
    const sumBefore = sum
    const before = new Map<number, number>()
    const moved = force(row, choice, before).sort((a, b) => worth(b, before.get(b)!) - worth(a, before.get(a)!))
    for (const other of moved) placeBest(other)
    // A row that would have no choice moves others in turn, so that several can exchange their places.
    for (const other of moved) {
      if (chosen[other] === NONE) placeBest(other)
      if (chosen[other] !== NONE || !staying.has(other) || moved.length > MOST_MOVED) continue
      const elsewhere = rows[other]![Math.floor(random() * rows[other]!.length)]!
      if (setsOf[elsewhere]!.every((set) => takenBy[set] !== choice)) moved.push(...force(other, elsewhere, before))
    }
    if (sum >= sumBefore || random() < Math.exp((sum - sumBefore) / heat)) {
      remember()
      return
    }
    for (const one of before.keys()) put(one, NONE)
    for (const [one, choiceBefore] of before) put(one, choiceBefore)
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
