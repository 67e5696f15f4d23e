import { readSkew, whySkewed } from '../platform/db/clock-skew.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/jobs/job-tools.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { compareZoneData } from './zone-data.queries.ts'

/** What is compared. */
interface Compared {
  database: Database
  clock: Clock
}

/**
 * Logs at the start of a process, one warning each, when the clock of this machine or the zone data of Node.js differ
 * from the database's. The service works with either: it reads the time of the database, and computes local time with
 * Node.js. Does nothing when the database cannot be read: the process then says so elsewhere.
 */
export async function sayDifferences({ database: { pool }, clock }: Compared, log: Log): Promise<void> {
  try {
    const skew = whySkewed(await readSkew(pool))
    if (skew !== null) log.warn({}, skew)
    const { difference } = await compareZoneData(pool, clock())
    if (difference !== null) log.warn({}, difference)
  } catch {
    // The database went away meanwhile.
  }
}
