import type { Clock } from '../kernel/clock.ts'
import type { Database } from './database.ts'

/** The interval at which a process asks for the database's time again. */
const ASK_EVERY_MS = 10_000

/**
 * Returns the database's clock, for every time that a process writes or compares. Between two questions the time goes on by
 * the monotonic clock of the machine, so a wall clock that is wrong, or is set while the process runs, changes nothing.
 */
export async function openDatabaseClock({ pool }: Pick<Database, 'pool'>): Promise<Clock> {
  let aheadMs = await ask()
  const timer = setInterval(() => {
    ask().then(
      (answered) => {
        aheadMs = answered
      },
      // The database is away: the time goes on.
      () => undefined,
    )
  }, ASK_EVERY_MS)
  timer.unref()
  return () => new Date(Math.round(performance.now() + aheadMs))

  /** Returns how far the database's time is ahead of the monotonic clock. */
  async function ask(): Promise<number> {
    const askedAt = performance.now()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]!.now.getTime() - (askedAt + performance.now()) / 2
  }
}
