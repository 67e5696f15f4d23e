import { type RawBuilder, sql } from 'kysely'
import { namedAircraft } from '../../fleet/resources/model-names.queries.ts'
import { modelKeysOf, type NamedAircraft, namesOf } from '../../fleet/resources/model-names.rules.ts'
import type { FlownAircraft, FlownHours } from './hours-in-model.rules.ts'

/** The tenths of an hour of members in aircraft, as the query returns them. */
export interface HoursRow {
  id: number
  orgUserId: number
  resourceId: number
  flownAt: string
  tenths: number
}

/** An aircraft of an organization, as the query returns it. */
export interface FlownRow {
  id: number
  category: string
  class: string | null
  named: NamedAircraft
}

/** A flown time of a member. */
export interface MemberHours extends FlownHours {
  orgUserId: number
}

/**
 * Returns SQL for the hours of members that a currency `c` of hours counts for a booking within the span: the total time of each
 * flight, as the log has it. Where the currency looks back without an end, the flights before the span are one row per aircraft.
 */
export function hoursFlown(orgUserIds: readonly number[], span: { start: Date; end: Date }): RawBuilder<HoursRow[]> {
  // Two extra days cover the offset of local days from UTC in every zone.
  return sql`case when c.kind <> 'hours_in_model' then '[]' else coalesce((select json_agg(h) from (
    select max(r.id) as id, s.membership_id as "orgUserId", r.resource_id as "resourceId", max(r.starts_at) as "flownAt",
      sum((r.hobbs_in - r.hobbs_out + 5) / 10)::int as tenths
    from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    join resource x on x.organization_id = r.organization_id and x.id = r.resource_id and x.kind = 'plane'
    where s.organization_id = c.organization_id and s.membership_id = any(${orgUserIds}) and s.live and r.hobbs_in is not null
      and r.type <> 'maintenance' and s.starts_at < ${span.end}
      and (c.flight_days is null or s.starts_at > ${span.start}::timestamptz - make_interval(days => c.flight_days + 2))
    group by s.membership_id, r.resource_id,
      case when c.flight_days is not null or r.starts_at >= ${span.start} then r.id end) h), '[]') end`
}

/** Returns SQL for the aircraft of the organization of a currency `c` of hours. */
export const flownAircraft: RawBuilder<FlownRow[]> = sql`case when c.kind <> 'hours_in_model' then '[]' else coalesce((
  select json_agg(json_build_object('id', x.id, 'category', coalesce(x.traits ->> 'category', 'airplane'),
    'class', nullif(x.traits ->> 'class', ''), 'named', ${namedAircraft('x')}))
  from resource x where x.organization_id = c.organization_id and x.kind = 'plane'), '[]') end`

/** Returns the hours with their aircraft. */
export function hoursOf(rows: readonly HoursRow[], fleet: readonly FlownRow[]): MemberHours[] {
  const unlike = fleet.filter(({ named }) => !named.plain).map(({ named }) => named)
  const byId = new Map(fleet.map(({ id, named, ...one }) => [id, flownOf(one, named, unlike)]))
  return rows.map(({ resourceId, flownAt, ...row }) => ({
    ...row,
    flownAt: new Date(flownAt),
    aircraft: byId.get(resourceId)!,
  }))
}

function flownOf(
  { category, class: of }: Pick<FlownRow, 'category' | 'class'>,
  named: NamedAircraft,
  unlike: readonly NamedAircraft[],
): FlownAircraft {
  const [model = null] = namesOf(named, unlike)
  return { category, class: of, type: null, tailwheel: false, model, modelKeys: modelKeysOf(named, unlike) }
}
