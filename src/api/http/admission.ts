import { platformErrors } from '../../shared/platform/platform.errors.ts'

/** The requests that one connection of the pool may have under way: at some 5 ms each the last waits for 0.1 s. */
const PER_CONNECTION = 20

/** The bound of the requests that a process works on at once. */
export interface Admission {
  /**
   * Runs a step of a request that needs the database.
   * @throws Unavailable at once when too many are under way: the request would wait, and its client with it.
   */
  enter<T>(step: () => Promise<T>): Promise<T>
  /**
   * Runs a request of which one caller has at most `most` under way.
   * @throws TooManyRequests when the caller has as many under way.
   */
  takeTurn<T>(caller: string, most: number, run: () => Promise<T>): Promise<T>
}

/** The seconds after which a caller with too many requests under way may try again. */
const RETRY_SECONDS = 1

/**
 * Creates the bound of a process with a pool of this size. Bodies that arrive and streams that are sent do not count,
 * since slow clients would use it up.
 * @throws Unavailable and TooManyRequests from its methods, as each says
 */
export function createAdmission(poolSize: number): Admission {
  const most = poolSize * PER_CONNECTION
  let underWay = 0
  const turns = new Map<string, number>()
  return {
    async enter(step) {
      if (underWay >= most) throw platformErrors.busy()
      underWay += 1
      try {
        return await step()
      } finally {
        underWay -= 1
      }
    },
    async takeTurn(caller, mostOfCaller, run) {
      const taken = turns.get(caller) ?? 0
      if (taken >= mostOfCaller) throw platformErrors.tooManyRequests({ retryAfterSeconds: RETRY_SECONDS })
      turns.set(caller, taken + 1)
      try {
        return await run()
      } finally {
        const left = (turns.get(caller) ?? 1) - 1
        if (left > 0) turns.set(caller, left)
        else turns.delete(caller)
      }
    },
  }
}
