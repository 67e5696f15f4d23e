import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../../platform/db/columns.ts'

/**
 * The latest reports of a station, shared by all processes and organizations. One process at a time claims it to ask the
 * source. Times are the database's. Kysely writes it; the ORM only declares the columns.
 */
export const WeatherStation = defineEntity({
  name: 'WeatherStation',
  tableName: 'weather_station',
  properties: {
    station: p.text().primary(),
    /** The texts as they were sent; null when there was none. */
    metar: p.text().nullable(),
    taf: p.text().nullable(),
    /** When the source last answered; null before it did. */
    fetchedAt: instant().nullable(),
    /** Until when the source is not asked again, because it has no such station. */
    unknownUntil: instant().nullable(),
    /** Until when it is not asked again, because it failed. */
    retryAt: instant().nullable(),
    /** One process fetches from the source until this instant. */
    claimedUntil: instant().nullable(),
    /** The last request of it. */
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

/** A station that an organization asked for in the last hour. */
export const WeatherRequest = defineEntity({
  name: 'WeatherRequest',
  tableName: 'weather_request',
  properties: {
    organizationId: p.integer().primary(),
    station: p.text().primary(),
    /** The last time; the database keeps it. */
    updatedAt: instant().defaultRaw('now()'),
  },
})
