import type { Clock } from '../kernel/clock.ts'
import { followClock } from '../kernel/followed-clock.ts'
import type { Database } from './database.ts'

/**
 * Returns the database's clock. A process uses it for every time that it writes or compares. Implements
 * docs/decisions/0038.
 */
export async function openDatabaseClock({ pool }: Pick<Database, 'pool'>): Promise<Clock> {
  const { now } = await followClock(async () => {
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]!.now.getTime()
  })
  return () => new Date(now())
}
