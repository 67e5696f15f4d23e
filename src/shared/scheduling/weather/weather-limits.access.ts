import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** Different stations that an organization may ask for in an hour. */
const MOST_STATIONS = 60
/** Calls to the source in a minute, by all processes together. */
const MOST_CALLS = 30

/** What keeps two transactions from counting at once: a lock for the calls, one for each organization. */
const CALLS_LOCK = sql`hashtext('weather calls')`
const STATIONS_LOCK = sql`hashtext('weather stations')`

/**
 * Counts a station among those that an organization asked for in the last hour.
 * Implements interface §Limits: 60 different stations an hour.
 * @throws TooManyRequests when it is one too many
 */
export async function countStation(db: Db, organizationId: number, station: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${STATIONS_LOCK}, ${organizationId})`.execute(tx)
    await sql`delete from weather_request
      where organization_id = ${organizationId} and updated_at < now() - interval '1 hour'`.execute(tx)
    const { rows } = await sql<{ others: number; wait: number }>`
      select count(*)::int as others, coalesce(ceil(extract(epoch from min(updated_at) + interval '1 hour' - now())), 1)::int as wait
      from weather_request where organization_id = ${organizationId} and station <> ${station}`.execute(tx)
    const { others, wait } = rows[0]!
    if (others >= MOST_STATIONS) throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(1, wait) })
    await sql`insert into weather_request (organization_id, station) values (${organizationId}, ${station})
      on conflict (organization_id, station) do update set updated_at = now()`.execute(tx)
  })
}

/** Takes the right to some calls to the source now; false when the last minute had too many. */
export async function takeCalls(db: Db, calls: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CALLS_LOCK})`.execute(tx)
    await sql`delete from weather_call where called_at < clock_timestamp() - interval '1 minute'`.execute(tx)
    const { numAffectedRows } = await sql`
      insert into weather_call (called_at) select clock_timestamp() from generate_series(1, ${calls}::int)
      where (select count(*) from weather_call) + ${calls}::int <= ${MOST_CALLS}`.execute(tx)
    return numAffectedRows === BigInt(calls)
  })
}
