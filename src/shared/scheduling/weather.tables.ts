import { p } from '@mikro-orm/core'
import { instant } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'

/**
 * The latest reports of a station, shared by all processes and organizations. One process at a time claims the station to
 * call the source. Times are from the clock of the database.
 */
export const WeatherStation = log('weather_station', {
  /** Counted from the last claim. */
  kept: { days: 7, since: 'askedAt' },
  columns: {
    station: p.text().primary(),
    /** The texts as the source sent them; null when there was none. */
    metar: p.text().nullable(),
    taf: p.text().nullable(),
    /** When the source last answered with reports; null before. */
    fetchedAt: instant().nullable(),
    /** Until when the source is not called, because it has no such station. */
    unknownUntil: instant().nullable(),
    /** Until when the source is not called, because it failed. */
    retryAt: instant().nullable(),
    /** Until when one process alone may call the source for the station; null or past when no process has a claim. */
    claimedUntil: instant().nullable(),
    /** The last claim of the station. */
    askedAt: instant().defaultRaw('now()'),
  },
})

/** A call to the source in the last minute, whichever process made it. */
export const WeatherCall = log('weather_call', {
  columns: {
    id: p.integer().primary(),
    calledAt: instant().defaultRaw('now()'),
  },
})

/** A station that an organization requested in the last hour. */
export const WeatherRequest = log('weather_request', {
  exported: false,
  columns: {
    organizationId: p.integer().primary(),
    station: p.text().primary(),
    /** The last request; maintained by the database. */
    updatedAt: instant().defaultRaw('now()'),
  },
})
