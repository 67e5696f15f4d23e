/**
 * A question of choice: of each row at most one choice is taken, and of each set of `atMostOne` too. A row that has a choice among `stays`
 * takes exactly one. The best plan has the highest sum of points, and among those the highest sum of `ties`.
 */
export interface ChoiceProblem {
  /** The row of each choice, counted from 0. The choices of a row are neighbours. */
  rowOf: readonly number[]
  /** What each choice is worth: a whole number, at least 1; of those among `stays`, 0. */
  points: readonly number[]
  ties: readonly number[]
  /** The choices that exclude each other, in sets. */
  atMostOne: readonly (readonly number[])[]
  /** The choices that leave their row as it is, which excludes choices of other rows. All of them together are possible. */
  stays: readonly number[]
}

/** Finds the best plan and proves that it is the best. */
export interface Solver {
  /** Returns the choices of the best plan in ascending order; null when it is not proved in time. */
  solve(problem: ChoiceProblem): Promise<number[] | null>
  close(): Promise<void>
}
