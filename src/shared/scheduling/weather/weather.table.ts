import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../../platform/db/columns.ts'

/**
 * The latest reports of a station, shared by all processes and organizations. One process at a time claims the station
 * to call the source. Times are the database's. Kysely writes the table; the ORM only declares its columns.
 */
export const WeatherStation = defineEntity({
  name: 'WeatherStation',
  tableName: 'weather_station',
  properties: {
    station: p.text().primary(),
    /** The texts as they were sent; null when there was none. */
    metar: p.text().nullable(),
    taf: p.text().nullable(),
    /** When the source last answered with reports; null before. */
    fetchedAt: instant().nullable(),
    /** Until when the source is not called, because it has no such station. */
    unknownUntil: instant().nullable(),
    /** Until when the source is not called, because it failed. */
    retryAt: instant().nullable(),
    /** Until when one process has the claim to fetch from the source. */
    claimedUntil: instant().nullable(),
    /** The last claim of the station. */
    askedAt: instant().defaultRaw('now()'),
  },
})

/** A call to the source in the last minute, whichever process made it. */
export const WeatherCall = defineEntity({
  name: 'WeatherCall',
  tableName: 'weather_call',
  properties: {
    id: p.integer().primary(),
    calledAt: instant().defaultRaw('now()'),
  },
})

/** A station that an organization requested in the last hour. */
export const WeatherRequest = defineEntity({
  name: 'WeatherRequest',
  tableName: 'weather_request',
  properties: {
    organizationId: p.integer().primary(),
    station: p.text().primary(),
    /** The last request; maintained by the database. */
    updatedAt: instant().defaultRaw('now()'),
  },
})
