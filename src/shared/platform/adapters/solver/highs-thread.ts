import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import loadHighs from 'highs'
import type { ChoiceProblem } from './solver.port.ts'

/** The answer of the thread: the choices of the best plan; null when the solver proves none. */
export type Solved = number[] | null

// On Linux a priority is of one thread: on few cores, requests and PostgreSQL come before plans.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))

/** The module is both kinds; its types are those of the other kind. */
const load = loadHighs as unknown as typeof loadHighs.default
/** The thread in which HiGHS works. It is blocked while it solves, and the process ends it when it takes too long. */
const highs = await load()
/** No gap is allowed: the plan that is returned is proved to be the best. */
const options = { output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0 }

parentPort?.on('message', (problem: ChoiceProblem) => {
  parentPort?.postMessage(bestOf(problem) satisfies Solved)
})
parentPort?.postMessage('ready')

/** Finds the highest sum of points first, and then, among the plans with that sum, the one with the best ties. */
function bestOf(problem: ChoiceProblem): Solved {
  const { points, ties } = problem
  if (points.length === 0) return []
  const limits = limitsOf(problem)
  const first = solve(points, limits)
  if (!first) return null
  const most = first.reduce((sum, choice) => sum + points[choice]!, 0)
  return solve(ties, [...limits, `${sumOf(points)} >= ${most}`])
}

function solve(worth: readonly number[], limits: readonly string[]): Solved {
  const lines = [
    'Maximize',
    sumOf(worth),
    'Subject To',
    ...limits,
    'Binary',
    worth.map((_, n) => `x${n}`).join('\n'),
    'End',
  ]
  const { Status, Columns } = highs.solve(lines.join('\n'), options)
  if (Status !== 'Optimal') return null
  return worth.flatMap((_, n) => {
    const column = Columns[`x${n}`]
    return column && 'Primal' in column && column.Primal > 0.5 ? [n] : []
  })
}

function limitsOf({ rowOf, atMostOne, stays }: ChoiceProblem): string[] {
  const rows = [...Map.groupBy(rowOf.keys(), (choice) => rowOf[choice]!).values()]
  const limit = (choices: readonly number[], is: '<=' | '=') => `${choices.map((n) => `x${n}`).join('\n + ')} ${is} 1`
  const staying = new Set(stays.map((choice) => rowOf[choice]!))
  return [
    ...rows.map((choices) => limit(choices, staying.has(rowOf[choices[0]!]!) ? '=' : '<=')),
    ...atMostOne.map((choices) => limit(choices, '<=')),
  ]
}

function sumOf(worth: readonly number[]): string {
  return worth.map((one, n) => `${one} x${n}`).join('\n + ')
}
