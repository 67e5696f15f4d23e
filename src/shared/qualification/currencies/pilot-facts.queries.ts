import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { isProven } from '../endorsement-proof.queries.ts'
import type { PilotFacts, PilotFlight, RenewingEndorsement } from './recency.types.ts'
import { renewingEndorsements } from './renewing-endorsements.rules.ts'

/**
 * The number of past months whose landings are read. Approaches and holds are read without a limit, because all of them
 * decide whether the currency has lapsed.
 */
const LANDING_MONTHS = 13

/**
 * The type for which landings count: the type rating, or else the model of a Robinson. 14 CFR 61.57(a)(1)(ii);
 * SFAR 73, section 2(d).
 */
const type = sql`coalesce(nullif(x.traits ->> 'typeRating', ''), 'R-' || case
  when x.traits ->> 'category' = 'helicopter' then substring(x.model from '(?i)\\mR[- ]?(22|44)') end)`

/** SQL for the aircraft scope of resource `x`; the category is null when it is not an aircraft. */
export const aircraft: RawBuilder<PilotFlight['aircraft']> = sql`json_build_object(
  'category', case when x.kind = 'plane' then coalesce(x.traits ->> 'category', 'airplane') end,
  'class', nullif(x.traits ->> 'class', ''), 'type', ${type},
  'tailwheel', coalesce((x.traits ->> 'tailwheel')::boolean, false))`

interface PilotRow extends Omit<PilotFacts, 'flights' | 'endorsements' | 'tests'> {
  orgUserId: number
  flights: (Omit<PilotFlight, 'at' | 'day'> & { at: string; zone: string })[]
  endorsements: (Omit<RenewingEndorsement, 'at' | 'expiresAt'> & { at: string; expiresAt: string | null })[]
  tests: { id: number; at: string }[]
}

/**
 * Returns the facts that regulations need, by orgUserId, in one query: members' logged flights, the endorsements that renew a
 * currency, the practical tests that they passed, and the verified parts of their profiles. An endorsement counts when it is
 * proven and not superseded.
 */
export async function findPilotFacts(
  source: Source,
  organizationId: number,
  orgUserIds: readonly number[],
  until: Date,
): Promise<Map<number, PilotFacts>> {
  const rows = await readRows(
    source,
    sql<PilotRow>`
    select m.id as "orgUserId", p.verified #>> '{birthDate,value}' as "birthDate",
      coalesce(p.verified #>> '{pilotCertificate,value,grade}', 'student') <> 'student' as certificated,
      p.verified #>> '{instructorCertificate,value,validUntil}' as "instructorEnd",
      coalesce((select json_agg(json_build_object('id', r.id, 'at', r.starts_at, 'zone', r.time_zone_name,
          'device', x.kind = 'simulator', 'aircraft', ${aircraft},
          'dayTakeoffs', f.day_takeoffs, 'dayLandings', f.day_landings, 'dayFullStops', f.day_full_stops,
          'nightTakeoffs', f.night_takeoffs, 'nightLandings', f.night_landings, 'nightFullStops', f.night_full_stops,
          'approaches', (select coalesce(sum((a ->> 'count')::int), 0) from jsonb_array_elements(f.approaches) a),
          'holds', f.holds))
        from flight_log f
        join reservation r on r.organization_id = f.organization_id and r.id = f.reservation_id and r.live
        join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
        where f.organization_id = m.organization_id and f.membership_id = m.id
          and (r.starts_at > ${until}::timestamptz - make_interval(months => ${LANDING_MONTHS})
            or f.holds > 0 or f.approaches <> '[]')), '[]') as flights,
      coalesce((select json_agg(json_build_object('id', e.id, 'renews', w.renews,
          'at', coalesce(e.training_at, e.signed_at), 'expiresAt', e.expires_at))
        from endorsement e
        join unnest(${renewing.map((one) => one.renews)}::text[], ${renewing.map((one) => one.edition)}::text[],
            ${renewing.map((one) => one.code)}::text[]) as w (renews, edition, code)
          on w.edition = e.template_edition and w.code = e.template_code
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.superseded_at is null
          and ${isProven('e')}), '[]') as endorsements,
      coalesce((select json_agg(json_build_object('id', t.id, 'at', t.taken_at))
        from training_test t
        where t.organization_id = m.organization_id and t.membership_id = m.id and t.kind = 'practical'
          and t.result = 'passed'), '[]') as tests
    from membership m
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
    where m.organization_id = ${organizationId} and m.id = any(${orgUserIds})`,
  )
  return new Map(
    rows.map(({ orgUserId, flights, endorsements, tests, ...row }) => [
      orgUserId,
      {
        ...row,
        flights: flights.map(flightOf),
        endorsements: endorsements.map(endorsementOf),
        tests: tests.map(({ id, at }) => ({ id, at: new Date(at) })),
      },
    ]),
  )
}

const renewing = renewingEndorsements.flatMap(({ renews, codes }) =>
  Object.entries(codes).flatMap(([edition, all]) => all.map((code) => ({ renews, edition, code }))),
)

function flightOf({ at, zone, ...flight }: PilotRow['flights'][number]): PilotFlight {
  const flownAt = new Date(at)
  return { ...flight, at: flownAt, day: localDate(flownAt, zone) }
}

function endorsementOf({ at, expiresAt, ...one }: PilotRow['endorsements'][number]): RenewingEndorsement {
  return { ...one, at: new Date(at), expiresAt: expiresAt === null ? null : new Date(expiresAt) }
}
