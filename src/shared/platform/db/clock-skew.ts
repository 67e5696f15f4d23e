import type { Database } from './database.ts'

/** The most milliseconds by which the clock of a worker may differ from the database's. */
const MOST_SKEW_MS = 30_000

/** The interval at which a running process checks whether its clock was set. */
const LOOK_EVERY_MS = 5_000

/**
 * Ensures that the clock of this machine agrees with the database's. The service writes no data by this clock, but log
 * lines and the checks of certificates and of other services' tokens use it.
 * @throws Error when the clocks differ by more than 30 seconds; the message contains the difference
 */
export async function assertAgreesOnTime({ pool }: Database): Promise<void> {
  const asked = performance.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const roundTripMs = performance.now() - asked
  const skewMs = Date.now() - roundTripMs / 2 - rows[0]!.now.getTime()
  if (Math.abs(skewMs) <= MOST_SKEW_MS + roundTripMs) return
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const side = skewMs > 0 ? 'ahead of' : 'behind'
  throw new Error(`the clock of this machine is ${seconds} seconds ${side} the database's: keep both right by NTP`)
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
