import { type RawBuilder, sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { type BookingPrincipal, publicBookingPrincipal } from '../rules/load-booking-facts.ts'
import { JUDGED_AHEAD_MS } from '../rules/minimums.rules.ts'
import { stationOf } from '../weather/weather.rules.ts'

/**
 * Selects the flights `r` whose weather is due for a check: they start soon, the organization enforces weather limits, and a
 * person on them has limits.
 */
export const flightsToJudge = {
  join: sql`join organization o on o.id = r.organization_id`,
  due: (now: Date): RawBuilder<boolean> => sql`r.live and r.ramped_out_at is null
    and r.starts_at > ${now} and r.starts_at <= ${new Date(now.getTime() + JUDGED_AHEAD_MS)}
    and r.weather_judged_for is distinct from r.starts_at
    and o.settings #>> '{rules,pilot_minimums,enforcement}' in ('warn', 'block')
    and exists (select from seat s join pilot_minimums n on n.organization_id = s.organization_id
      and n.membership_id = s.membership_id where s.organization_id = r.organization_id and s.reservation_id = r.id)`,
}

/**
 * Returns the weather stations of the flights that are due for a check, each once per organization; null for a location
 * without one.
 */
export async function findStationsToJudge(
  db: Db,
  now: Date,
): Promise<{ organizationId: number; station: string | null }[]> {
  const { rows } = await sql<{ organizationId: number; airport: string | null }>`
    select distinct r.organization_id as "organizationId", l.airport_identifier as airport
    from reservation r ${flightsToJudge.join}
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    join location l on l.organization_id = r.organization_id and l.id = coalesce(r.location_id, x.location_id)
    where ${flightsToJudge.due(now)}`.execute(db)
  return rows.map(({ organizationId, airport }) => ({ organizationId, station: stationOf(airport) }))
}

/** Returns the weather station of a booking's location, or else of its resource's location; null when it has none. */
export async function findStationOfBooking(db: Db, organizationId: number, id: number): Promise<string | null> {
  const { rows } = await sql<{ airport: string | null }>`
    select l.airport_identifier as airport from reservation r
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    join location l on l.organization_id = r.organization_id and l.id = coalesce(r.location_id, x.location_id)
    where r.organization_id = ${organizationId} and r.id = ${id}`.execute(db)
  return stationOf(rows[0]?.airport ?? null)
}

/** Returns the principal for which an organization's bookings are checked: its desk. */
export async function findDesk(db: Db, organizationId: number): Promise<BookingPrincipal> {
  const { name, demo, time_zone_name, settings } = await db
    .selectFrom('organization')
    .select(['name', 'demo', 'time_zone_name', 'settings'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const organization = { name, demo, timeZoneName: time_zone_name, settings: readSettings(settings) }
  return publicBookingPrincipal({ organizationId, organization })
}
