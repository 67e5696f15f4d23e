import type { Database } from './database.ts'

/** Milliseconds by which the clock of a worker may differ from the database's. */
const MOST_SKEW_MS = 30_000

/**
 * Ensures that the clock of this machine agrees with the database's. The runs of scheduled jobs are entered by the clock
 * of the worker that did the run before: one that is an hour early would hold every reminder back for an hour.
 * @throws Error when the clocks differ by more than 30 seconds; the message says by how many.
 */
export async function mustAgreeOnTime({ pool }: Database): Promise<void> {
  const asked = Date.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const answered = Date.now()
  const skewMs = (asked + answered) / 2 - rows[0]!.now.getTime()
  if (Math.abs(skewMs) <= MOST_SKEW_MS + (answered - asked)) return
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const side = skewMs > 0 ? 'ahead of' : 'behind'
  throw new Error(`the clock of this machine is ${seconds} seconds ${side} the database's: keep both right by NTP`)
}
