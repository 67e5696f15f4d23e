import type pg from 'pg'
import { addDays, localDate, offsetChanges, offsetMinutes } from '../platform/kernel/zones.ts'

/** The days that are compared: those that are booked, billed and reported most. */
const BEFORE_DAYS = 365
const AFTER_DAYS = 730
/** Between two changes of the clock by Node.js, so that a change that only PostgreSQL has is found. */
const EVERY_DAYS = 10
/** The most zones that a line names. */
const NAMED = 5
/** SQLSTATE of an unknown zone. */
const UNKNOWN_ZONE = '22023'

type Queryable = Pick<pg.Pool | pg.Client, 'query'>

/** The zones of all locations, and those in which PostgreSQL and Node.js differ. */
export interface ZoneComparison {
  compared: number
  /** One line that names the differences and says what to do; null when there is none. */
  difference: string | null
}

/**
 * Compares the zone data of PostgreSQL with that of Node.js, in the zones of all organizations. The service computes
 * local time with Node.js only, so a difference changes no answer; but the older one of the two is wrong.
 */
export async function compareZoneData(client: Queryable, now: Date): Promise<ZoneComparison> {
  const { rows } = await client.query<{ zone: string }>(
    `select time_zone_name as zone from organization union select time_zone_name from location order by zone`,
  )
  const differing: string[] = []
  for (const { zone } of rows) {
    const since = await firstDifference(client, zone, now)
    if (since !== null) differing.push(`${zone} ${since}`)
  }
  if (differing.length === 0) return { compared: rows.length, difference: null }
  const others = differing.length > NAMED ? ` and ${differing.length - NAMED} others` : ''
  return {
    compared: rows.length,
    difference:
      `the zone data of PostgreSQL and Node.js (${process.versions.tz}) differ: ${differing.slice(0, NAMED).join(', ')}${others}. ` +
      'Local time is computed by Node.js: update the older of the two',
  }
}

async function firstDifference(client: Queryable, zone: string, now: Date): Promise<string | null> {
  const instants = instantsToCompare(zone, now)
  try {
    const { rows } = await client.query<{ minutes: number }>(
      `select (extract(epoch from (at at time zone $1) - (at at time zone 'UTC')) / 60)::float8 as minutes
       from unnest($2::timestamptz[]) with ordinality as compared(at, place) order by place`,
      [zone, instants],
    )
    const first = instants.find((at, place) => rows[place]?.minutes !== offsetMinutes(at, zone))
    return first ? `(${localDate(first, zone)})` : null
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNKNOWN_ZONE) throw error
    return '(unknown to PostgreSQL)'
  }
}

/** Returns each change of the clock with the minute before it, and instants at even distances, in order. */
function instantsToCompare(zone: string, now: Date): Date[] {
  const today = localDate(now, 'UTC')
  const dayAt = (days: number) => new Date(`${addDays(today, days)}T12:00:00Z`)
  const [start, end] = [dayAt(-BEFORE_DAYS), dayAt(AFTER_DAYS)]
  const changes = offsetChanges(start, end, zone).flatMap(({ at }) => [new Date(at.getTime() - 60_000), at])
  const count = Math.ceil((BEFORE_DAYS + AFTER_DAYS) / EVERY_DAYS)
  const even = Array.from({ length: count }, (_, step) => dayAt(step * EVERY_DAYS - BEFORE_DAYS))
  return [...changes, ...even].sort((one, other) => one.getTime() - other.getTime())
}
