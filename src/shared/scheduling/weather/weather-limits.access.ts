import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** How many distinct stations one organization, or all organizations of one owner together, can ask for in an hour. */
const MOST_STATIONS = 60
/** The most calls to the source per minute, by all processes. */
const MOST_CALLS = 30

/** Advisory locks that serialize the counting: one for the calls, one per owner for the stations. */
const CALLS_LOCK = sql`hashtext('weather calls')`
const STATIONS_LOCK = sql`hashtext('weather stations')`

/**
 * Counts a station among those that an organization requested in the last hour. Requests of its owners' other organizations
 * count too, because otherwise each further organization of an owner would raise the limit. Implements interface §Limits: 60
 * different stations per hour.
 * @param factor multiplies the limit
 * @throws TooManyRequests when the limit is reached.
 */
export async function countStation(
  db: Db,
  organizationId: number,
  { station, factor }: { station: string; factor: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const owners = sql`membership o where o.organization_id = ${organizationId} and o.owner and o.removed_at is null`
    await sql`with owner as materialized (select o.account_id from ${owners} order by o.account_id)
      select pg_advisory_xact_lock(${STATIONS_LOCK}, account_id) from owner`.execute(tx)
    await sql`delete from weather_request
      where organization_id = ${organizationId} and updated_at < now() - interval '1 hour'`.execute(tx)
    const { rows } = await sql<{ others: number; wait: number }>`
      select count(distinct r.station)::int as others,
        ceil(extract(epoch from min(r.updated_at) + interval '1 hour' - now()))::int as wait
      from (select o.account_id from ${owners}) mine
      join membership own on own.account_id = mine.account_id and own.owner and own.removed_at is null
      join weather_request r on r.organization_id = own.organization_id and r.station <> ${station}
        and r.updated_at >= now() - interval '1 hour'
      group by mine.account_id order by others desc limit 1`.execute(tx)
    const [most] = rows
    if (most && most.others >= MOST_STATIONS * factor) {
      throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(1, most.wait) })
    }
    await sql`insert into weather_request (organization_id, station) values (${organizationId}, ${station})
      on conflict (organization_id, station) do update set updated_at = now()`.execute(tx)
  })
}

/** Reserves a number of calls to the source. Returns false when the limit per minute does not allow them. */
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
