import { setTimeout as wait } from 'node:timers/promises'
import { platformErrors } from '../../shared/platform/platform.errors.ts'

/**
 * The most requests under way per connection of the pool. At about 5 ms per request, the last one waits about 0.1 s.
 */
const PER_CONNECTION = 20

/** Limits how many requests a process works on at the same time. */
export interface Admission {
  /**
   * Runs a step of a request that needs the database.
   * @throws Unavailable when the process still has the most requests under way after a short wait.
   */
  enter<T>(step: () => Promise<T>): Promise<T>
  /**
   * Runs a request of a caller who may have at most `most` of them under way.
   * @throws TooManyRequests when the caller already has `most` under way.
   */
  takeTurn<T>(caller: string, most: number, run: () => Promise<T>): Promise<T>
  /**
   * Runs a transaction that writes a record. Of these a few run at once; the others wait in their order, without a connection, since
   * they would wait for its lock and leave none for other requests.
   * @throws Unavailable when it has waited too long.
   */
  inTurn<T>(record: string, run: () => Promise<T>): Promise<T>
}

/** The most transactions at once that write one record, so that a pool of ten has connections left. */
const PER_RECORD = 3
/** The longest wait for the turn of a record, in milliseconds. */
const LONGEST_WAIT = 20_000

/**
 * How refusals are spread over time, in milliseconds. Clients that repeat a refused request at once would otherwise make the process
 * refuse thousands per second: a turn of the event loop would take seconds, and so would each statement of the requests under way, until
 * they have waited too long for a connection. A refusal waits `least`, since there may be room by then, and comes `gap` after the one
 * before it. When the event loop is late, the gap grows, so that one turn of it has about `perTurn` refusals. None waits over `longest`.
 */
const refusals = { least: 100, longest: 3_000, gap: 1, longestGap: 10, perTurn: 20 }

/** The seconds after which a caller with too many requests under way may try again. */
const RETRY_SECONDS = 1

/**
 * Returns the limiter of a process whose connection pool has this size. The time in which a body arrives or a stream is
 * sent does not count; otherwise slow clients would use up the limit. The methods throw what their comments say.
 */
export function createAdmission(poolSize: number): Admission {
  const most = poolSize * PER_CONNECTION
  let underWay = 0
  const turnToRefuse = createPace(refusals)
  const turns = new Map<string, number>()
  const records = new Map<string, WritesOfRecord>()
  return {
    async enter(step) {
      if (underWay >= most) await turnToRefuse()
      // There may be room by now.
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
    async inTurn(record, run) {
      const of = records.get(record) ?? { running: 0, waiting: new Set() }
      records.set(record, of)
      if (of.running < PER_RECORD) of.running += 1
      else await turnOf(of)
      try {
        return await run()
      } finally {
        const [next] = of.waiting
        if (next) next()
        else of.running -= 1
        if (of.running === 0) records.delete(record)
      }
    },
  }
}

/** The transactions that write one record: how many run, and how to start those that wait. */
interface WritesOfRecord {
  running: number
  waiting: Set<() => void>
}

/** Waits until one that runs hands its turn over. */
function turnOf({ waiting }: WritesOfRecord): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(tooLong)
      waiting.delete(start)
      resolve()
    }
    const tooLong = setTimeout(() => {
      waiting.delete(start)
      reject(platformErrors.busy())
    }, LONGEST_WAIT)
    waiting.add(start)
  })
}

/** Returns a function that waits for the turn of the next refusal. */
function createPace({ least, longest, gap, longestGap, perTurn }: typeof refusals): () => Promise<void> {
  let next = 0
  let late = 0
  return async () => {
    const now = performance.now()
    const turn = Math.min(Math.max(now + least, next), now + longest)
    next = turn + Math.min(Math.max(late / perTurn, gap), longestGap)
    await wait(turn - now)
    late = performance.now() - turn
  }
}
