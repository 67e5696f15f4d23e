import type pg from 'pg'
import type { Database } from './database.ts'

/** The most milliseconds by which the clock of a worker may differ from the database's. */
const MOST_SKEW_MS = 30_000

/** The most milliseconds by which clocks that are kept by NTP differ. */
const USUAL_SKEW_MS = 1_000

/** The interval at which a running process checks whether its clock was set. */
const LOOK_EVERY_MS = 5_000

/** How far the clock of this machine is ahead of the database's. */
interface Skew {
  aheadMs: number
  /** The duration of the reading, by which `aheadMs` can be wrong. */
  roundTripMs: number
}

/** Compares the clock of this machine with the database's. */
export async function readSkew(client: Pick<pg.Pool | pg.Client, 'query'>): Promise<Skew> {
  const asked = performance.now()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const roundTripMs = performance.now() - asked
  return { aheadMs: Date.now() - roundTripMs / 2 - rows[0]!.now.getTime(), roundTripMs }
}

/** Returns the line about clocks that differ by more than those that are kept by NTP; null when they agree. */
export function whySkewed(skew: Skew): string | null {
  return differsBy(skew, USUAL_SKEW_MS)
}

function differsBy({ aheadMs, roundTripMs }: Skew, mostMs: number): string | null {
  if (Math.abs(aheadMs) <= mostMs + roundTripMs) return null
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  return `the clock of this machine is ${seconds} seconds ${side} the database's: keep both right by NTP`
}

/**
 * Ensures that the clock of this machine agrees with the database's. The service writes no data by this clock, but log
 * lines and the checks of certificates and of other services' tokens use it.
 * @throws Error when the clocks differ by more than 30 seconds; the message contains the difference
 */
export async function assertAgreesOnTime({ pool }: Database): Promise<void> {
  const why = differsBy(await readSkew(pool), MOST_SKEW_MS)
  if (why !== null) throw new Error(why)
}

/**
 * Calls `onWrong` once when the clock of this machine is set while the process runs, and then differs from the
 * database's by more than 30 seconds. The check compares the wall clock with the monotonic one, and queries the
 * database only when they diverge.
 */
export function watchClock(database: Database, onWrong: (error: Error) => void): void {
  let offsetMs = Date.now() - performance.now()
  const timer = setInterval(() => {
    const nowMs = Date.now() - performance.now()
    if (Math.abs(nowMs - offsetMs) < MOST_SKEW_MS / 2) return
    assertAgreesOnTime(database).then(
      () => {
        offsetMs = nowMs
      },
      (error: Error) => {
        clearInterval(timer)
        onWrong(error)
      },
    )
  }, LOOK_EVERY_MS)
  timer.unref()
}
