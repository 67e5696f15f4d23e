import { Worker } from 'node:worker_threads'
import type { Solved } from './highs-thread.ts'
import type { Solver } from './solver.port.ts'

/** How long a solver may take, with its start; and the memory of its thread. */
const LIMIT_MS = 5_000
const MEMORY_MB = 256

/** Where the thread is, and how long it may take; tests use others. */
interface Thread {
  url: URL
  limitMs: number
}

/**
 * Returns a solver that works in a thread, one for each problem, so that the process goes on meanwhile. A thread that does not answer within
 * five seconds is ended from outside, as one that fails: the answer is then null.
 */
export function createHighsSolver(
  { url, limitMs }: Thread = { url: new URL('./highs-thread.ts', import.meta.url), limitMs: LIMIT_MS },
): Solver {
  const working = new Set<Worker>()
  return {
    async solve(problem) {
      const { promise, resolve } = Promise.withResolvers<Solved>()
      const thread = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
      working.add(thread)
      const timer = setTimeout(() => resolve(null), limitMs)
      thread.on('message', (message: 'ready' | Solved) => {
        if (message === 'ready') thread.postMessage(problem)
        else resolve(message)
      })
      thread.on('error', () => resolve(null))
      thread.on('exit', () => resolve(null))
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        working.delete(thread)
        void thread.terminate()
      }
    },
    async close() {
      await Promise.all([...working].map((thread) => thread.terminate()))
    },
  }
}
