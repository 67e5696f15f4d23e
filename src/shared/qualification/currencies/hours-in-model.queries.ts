import { type RawBuilder, sql } from 'kysely'
import { namedAircraft } from '../../fleet/resources/model-names.queries.ts'
import { byNames, type NamedAircraft } from '../../fleet/resources/model-names.rules.ts'
import type { FlownHours } from './hours-in-model.rules.ts'

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

/** The time of flight `r` by its meters now, in tenths of an hour, rounded half up, as SQL. */
export const meteredTenths: RawBuilder<number> = sql`(r.hobbs_in - r.hobbs_out + 5) / 10`

/** The time of flight `r` as it was signed: that of its meters, unless they were corrected while the signatures stood (docs/decisions/0021). */
export const flightTenths: RawBuilder<number> = sql`case when r.signed_figures is null then ${meteredTenths}
  else ((r.signed_figures ->> 'hobbsTimeIn')::int - (r.signed_figures ->> 'hobbsTimeOut')::int + 5) / 10 end`

/** Returns SQL for the aircraft of the organization of a currency `c` of hours. */
export const flownAircraft: RawBuilder<FlownRow[]> = sql`case when c.kind <> 'hours_in_model' then '[]' else coalesce((
  select json_agg(json_build_object('id', x.id, 'category', coalesce(x.traits ->> 'category', 'airplane'),
    'class', nullif(x.traits ->> 'class', ''), 'named', ${namedAircraft('x')}))
  from resource x where x.organization_id = c.organization_id and x.kind = 'plane'), '[]') end`

/** Returns the hours with their aircraft. */
export function hoursOf(rows: readonly HoursRow[], fleet: readonly FlownRow[]): MemberHours[] {
  const byId = byNames(fleet.map((one) => ({ ...one, type: null, tailwheel: false })))
  return rows.map(({ resourceId, flownAt, ...row }) => ({
    ...row,
    flownAt: new Date(flownAt),
    aircraft: byId.get(resourceId)!,
  }))
}
