import { sql } from 'kysely'
import type { StationWeather } from '../../platform/adapters/weather/weather.port.ts'
import type { Db } from '../../platform/db/database.ts'

/** How long reports are fresh, how long a station counts as unknown, and how long a failed source is not called. */
const FRESH = sql`interval '5 minutes'`
const UNKNOWN = sql`interval '1 hour'`
const RETRY = sql`interval '30 seconds'`
/** How long a claim is valid. A call to the source takes less time, so the process of an older claim has ended. */
const CLAIM = sql`interval '15 seconds'`

/** The stored state of a station at the time of the query. */
export interface StationState extends StationWeather {
  fetchedAt: Date | null
  fresh: boolean
  unknown: boolean
  /** Whether a process is fetching from the source. */
  claimed: boolean
}

/** Returns the stored state of a station; null before its first request. */
export async function stationState(db: Db, station: string): Promise<StationState | null> {
  const { rows } = await sql<StationState>`
    select metar, taf, fetched_at as "fetchedAt", coalesce(fetched_at > now() - ${FRESH}, false) as fresh,
      coalesce(unknown_until > now(), false) as unknown, coalesce(claimed_until > now(), false) as claimed
    from weather_station where station = ${station}`.execute(db)
  return rows[0] ?? null
}

/**
 * Claims a station for a call to the source. Returns false when its reports are fresh, it is unknown, the source failed less
 * than `RETRY` ago, or another process has the claim.
 */
export async function claimStation(db: Db, station: string): Promise<boolean> {
  const { rows } = await sql`
    insert into weather_station as w (station, claimed_until) values (${station}, now() + ${CLAIM})
    on conflict (station) do update set claimed_until = excluded.claimed_until, asked_at = now()
      where coalesce(w.claimed_until <= now(), true) and coalesce(w.fetched_at <= now() - ${FRESH}, true)
        and coalesce(w.unknown_until <= now(), true) and coalesce(w.retry_at <= now(), true)
    returning station`.execute(db)
  return rows.length > 0
}

/**
 * Ends a claim with the answer of the source. An answer without reports marks the station as unknown and keeps the
 * stored reports.
 */
export async function recordAnswer(db: Db, station: string, { metar, taf }: StationWeather): Promise<void> {
  await (metar === null && taf === null
    ? sql`update weather_station set claimed_until = null, retry_at = null, unknown_until = now() + ${UNKNOWN}
        where station = ${station}`
    : sql`update weather_station set claimed_until = null, retry_at = null, unknown_until = null, fetched_at = now(),
        metar = ${metar}, taf = ${taf} where station = ${station}`
  ).execute(db)
}

/** Ends a claim without an answer; the source is not called for `RETRY`. */
export async function recordFailure(db: Db, station: string): Promise<void> {
  await sql`update weather_station set claimed_until = null, retry_at = now() + ${RETRY}
    where station = ${station}`.execute(db)
}
