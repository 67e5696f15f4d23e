import { sql } from 'kysely'
import { namedAircraft, unlikeAircraft } from '../fleet/resources/model-names.queries.ts'
import { type MakeAndModel, modelKeysOf, type NamedAircraft } from '../fleet/resources/model-names.rules.ts'
import type { Db } from '../platform/db/database.ts'
import { nameOf } from '../platform/db/sort-keys.ts'
import { isProven } from '../qualification/endorsement-proof.queries.ts'
import { isRatedIn, type VerifiedCertificate } from '../qualification/ratings.rules.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import {
  type FlightPlace,
  flightTotal,
  isSoloCrossCountry,
  type LogProblem,
  logProblems,
  logWarnings,
  nightWarnings,
  routeWarnings,
} from './flight-log.rules.ts'
import type { LogEntry, LoggedFlight } from './flight-log.types.ts'
import { crossCountryCodes, type RouteEndorsement, type SoloFlight } from './solo-cross-country.rules.ts'

/** One person's stored log of a flight. */
export interface LogRow extends LogEntry {
  id: number
  name: string
  writtenBy: number
  writer: string
  /** Whether the person has a pilot certificate, verified by staff, for the category and class of the aircraft. */
  rated: boolean
  createdAt: Date
  updatedAt: Date
}

/**
 * The log of a booking: one row per person, ordered by first entry, with its contradictions (`problems`) and doubtful figures
 * (`warnings`).
 */
export interface BookingLog {
  rows: LogRow[]
  problems: (LogProblem & { orgUserId: number })[]
  warnings: (LogProblem & { orgUserId: number })[]
}

/** What says whether a person is rated in the aircraft: the certificate that staff verified, and the aircraft's category and class. */
interface RatedFacts {
  certificate: VerifiedCertificate | null
  aircraft: { category: string; class: string | null }
}

const ratedFacts = sql<RatedFacts>`(select json_build_object('certificate', p.verified #> '{pilotCertificate,value}',
    'aircraft', json_build_object('category', coalesce(x.traits ->> 'category', 'airplane'), 'class', x.traits ->> 'class'))
  from reservation r
  left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
  left join member_profile p on p.organization_id = f.organization_id and p.membership_id = f.membership_id
  where r.organization_id = f.organization_id and r.id = f.reservation_id)`

/** Returns the stored log rows of a booking of the organization, ordered by first entry. */
export async function findLogRows(db: Db, organizationId: number, reservationId: number): Promise<LogRow[]> {
  const rows = await db
    .selectFrom('flight_log as f')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'f.organization_id').onRef('m.id', '=', 'f.membership_id'),
    )
    .select([
      'f.id',
      'f.membership_id as orgUserId',
      'm.search_name as name',
      'f.pic_tenths as pic',
      'f.solo_tenths as solo',
      'f.dual_received_tenths as dualReceived',
      'f.instruction_tenths as instruction',
      'f.cross_country_tenths as crossCountry',
      'f.night_tenths as night',
      'f.actual_instrument_tenths as actualInstrument',
      'f.simulated_instrument_tenths as simulatedInstrument',
      'f.simulator_tenths as simulator',
      'f.day_takeoffs as dayTakeoffs',
      'f.day_landings as dayLandings',
      'f.day_full_stops as dayFullStops',
      'f.night_takeoffs as nightTakeoffs',
      'f.night_landings as nightLandings',
      'f.night_full_stops as nightFullStops',
      'f.holds',
      'f.approaches',
      'f.route',
      'f.remarks',
      'f.written_by as writtenBy',
      nameOf(sql`f.written_by`).as('writer'),
      'f.created_at as createdAt',
      'f.updated_at as updatedAt',
      ratedFacts.as('ratedFacts'),
    ])
    .where('f.organization_id', '=', organizationId)
    .where('f.reservation_id', '=', reservationId)
    .orderBy('f.id')
    .execute()
  return rows.map(({ ratedFacts: { certificate, aircraft }, ...row }) => ({
    ...row,
    rated: certificate !== null && isRatedIn(certificate, aircraft),
  }))
}

/**
 * Returns the log of a loaded booking, checked against the booking's present figures. Implements interface §Flight log.
 */
export async function findLog(db: Db, organizationId: number, booking: ReservationRow): Promise<BookingLog> {
  const rows = await findLogRows(db, organizationId, booking.id)
  const flight = flightOf(booking)
  const { ramped_out_at: start, ramped_in_at: end } = booking
  const out = start && end ? { start, end } : null
  const when = { out, place: await placeOf(db, organizationId, booking, rows) }
  const routes = await findRoutes(db, organizationId, booking, rows)
  const of = (check: (row: LogRow) => LogProblem[]) =>
    rows.flatMap((row) => check(row).map((problem) => ({ orgUserId: row.orgUserId, ...problem })))
  return {
    rows,
    problems: of((row) => logProblems(flight, row)),
    warnings: of((row) => [
      ...logWarnings(flight, row, row.rated),
      ...nightWarnings(when, row),
      ...routesOf(row, routes),
    ]),
  }
}

/** Returns where a flight left; null when that is not known, or when nobody logs night takeoffs or night full stops. */
async function placeOf(
  db: Db,
  organizationId: number,
  { location, resource }: ReservationRow,
  rows: readonly LogRow[],
): Promise<FlightPlace['place']> {
  if (!rows.some(({ nightTakeoffs, nightFullStops }) => nightTakeoffs + nightFullStops > 0)) return null
  const { rows: found } = await sql<{ latitude: number | null; longitude: number | null }>`
    select l.latitude, l.longitude from location l where l.organization_id = ${organizationId}
      and l.id = coalesce(${location?.id ?? null}::integer, (select x.location_id from resource x
        where x.organization_id = ${organizationId} and x.id = ${resource?.id ?? null}::integer))`.execute(db)
  const { latitude, longitude } = found[0] ?? { latitude: null, longitude: null }
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

/** A person's solo cross-country flight, with the endorsements that the person had when it left. */
interface Route {
  orgUserId: number
  flight: SoloFlight
  endorsements: RouteEndorsement[]
}

function routesOf(row: LogRow, routes: readonly Route[]): LogProblem[] {
  const route = routes.find(({ orgUserId }) => orgUserId === row.orgUserId)
  return route ? routeWarnings(route.flight, row, { ...route, rated: row.rated }) : []
}

/** Returns the solo cross-country flights in the log of a booking, each with the proven endorsements that were signed before it left. */
async function findRoutes(
  db: Db,
  organizationId: number,
  { id, ramped_out_at: out, starts_at: start, time_zone_name: zone }: ReservationRow,
  rows: readonly LogRow[],
): Promise<Route[]> {
  const alone = rows.filter(isSoloCrossCountry).map(({ orgUserId }) => orgUserId)
  if (alone.length === 0) return []
  const left = out ?? start
  const { rows: found } = await sql<{
    orgUserId: number
    aircraft: NamedAircraft
    unlike: MakeAndModel[]
    endorsements: (Omit<RouteEndorsement, 'expiresAt'> & { expiresAt: string | null })[]
  }>`
    select f.membership_id as "orgUserId", ${namedAircraft('x')} as aircraft, ${unlikeAircraft(organizationId)} as unlike,
      coalesce((select json_agg(json_build_object('code', e.template_code, 'expiresAt', e.expires_at,
          'makeAndModel', e.parameters ->> 'makeAndModel', 'flightOn', e.parameters ->> 'date')) from endorsement e
        where e.organization_id = f.organization_id and e.membership_id = f.membership_id
          and e.template_code = any(${[...crossCountryCodes]}) and e.signed_at <= ${left}
          and (e.superseded_at is null or e.superseded_at > ${left}) and ${isProven('e')}), '[]') as endorsements
    from flight_log f
    join reservation r on r.organization_id = f.organization_id and r.id = f.reservation_id
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where f.organization_id = ${organizationId} and f.reservation_id = ${id} and f.membership_id = any(${alone})`.execute(
    db,
  )
  return found.map(({ orgUserId, aircraft, unlike, endorsements }) => ({
    orgUserId,
    flight: { out: left, zone, aircraft: { modelKeys: modelKeysOf(aircraft, unlike) } },
    endorsements: endorsements.map((one) => ({ ...one, expiresAt: one.expiresAt ? new Date(one.expiresAt) : null })),
  }))
}

/** Returns the facts of a loaded booking that its log is checked against. */
export function flightOf(booking: ReservationRow): LoggedFlight {
  const { hobbs_out: hobbsOut, hobbs_in: hobbsIn, briefing_tenths: briefing, starts_at: start, ends_at: end } = booking
  return {
    type: booking.type,
    resource: booking.type === 'sim' ? 'simulator' : 'plane',
    total: flightTotal({ hobbsOut, hobbsIn, briefing, start, end }),
    seats: booking.seats,
  }
}
