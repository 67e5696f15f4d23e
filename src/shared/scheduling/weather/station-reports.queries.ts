import { readMetar, readTaf } from '../../platform/adapters/weather/read-reports.ts'
import type { Db } from '../../platform/db/database.ts'
import type { StationReports } from './weather-during.rules.ts'

/**
 * Returns the last known reports at the airports of an organization, by location id. A location is absent when no reports of
 * its station were ever fetched.
 */
export async function findStationReports(db: Db, organizationId: number): Promise<Map<number, StationReports>> {
  const rows = await db
    .selectFrom('location as l')
    .innerJoin('weather_station as w', 'w.station', 'l.airport_identifier')
    .select(['l.id', 'w.station', 'w.metar', 'w.taf', 'w.fetched_at'])
    .where('l.organization_id', '=', organizationId)
    .where('w.fetched_at', 'is not', null)
    .execute()
  return new Map(
    rows.map(({ id, station, metar, taf, fetched_at: near }) => [
      id,
      {
        station,
        observation: metar === null || !near ? null : readMetar(metar, near),
        forecast: taf === null || !near ? null : readTaf(taf, near),
      },
    ]),
  )
}
