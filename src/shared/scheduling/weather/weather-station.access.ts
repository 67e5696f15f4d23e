import { sql } from 'kysely'
import type { StationWeather } from '../../platform/adapters/weather/weather.port.ts'
import type { Db } from '../../platform/db/database.ts'

/** How long reports are fresh, a station stays unknown and a failed source is left alone. */
const FRESH = sql`interval '5 minutes'`
const UNKNOWN = sql`interval '1 hour'`
const RETRY = sql`interval '30 seconds'`
/** Longer than a call to the source takes: the process that claimed the station is gone by then. */
const CLAIM = sql`interval '15 seconds'`

/** What is known of a station, as of now. */
export interface StationState extends StationWeather {
  fetchedAt: Date | null
  fresh: boolean
  unknown: boolean
  /** Another process fetches from the source. */
  claimed: boolean
}

/** Returns what is stored of a station; null before its first request. */
export async function stationState(db: Db, station: string): Promise<StationState | null> {
  const { rows } = await sql<StationState>`
    select metar, taf, fetched_at as "fetchedAt", coalesce(fetched_at > now() - ${FRESH}, false) as fresh,
      coalesce(unknown_until > now(), false) as unknown, coalesce(claimed_until > now(), false) as claimed
    from weather_station where station = ${station}`.execute(db)
  return rows[0] ?? null
}

/** Claims the station to ask the source for it; false when there is no reason to, or another process does. */
export async function claimStation(db: Db, station: string): Promise<boolean> {
  const { rows } = await sql`
    insert into weather_station as w (station, claimed_until) values (${station}, now() + ${CLAIM})
    on conflict (station) do update set claimed_until = excluded.claimed_until, asked_at = now()
      where coalesce(w.claimed_until <= now(), true) and coalesce(w.fetched_at <= now() - ${FRESH}, true)
        and coalesce(w.unknown_until <= now(), true) and coalesce(w.retry_at <= now(), true)
    returning station`.execute(db)
  return rows.length > 0
}

/** Ends a claim with what the source answered. Reports that are known stay when it has none any more. */
export async function recordAnswer(db: Db, station: string, { metar, taf }: StationWeather): Promise<void> {
  await (metar === null && taf === null
    ? sql`update weather_station set claimed_until = null, retry_at = null, unknown_until = now() + ${UNKNOWN}
        where station = ${station}`
    : sql`update weather_station set claimed_until = null, retry_at = null, unknown_until = null, fetched_at = now(),
        metar = ${metar}, taf = ${taf} where station = ${station}`
  ).execute(db)
}

/** Ends a claim without an answer: the source is left alone for a while. */
export async function recordFailure(db: Db, station: string): Promise<void> {
  await sql`update weather_station set claimed_until = null, retry_at = now() + ${RETRY}
    where station = ${station}`.execute(db)
}
