import { sql } from 'kysely'
import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import { reads } from '../../fleet/maintenance/maintenance-item.queries.ts'
import { isPlain, unlikeAircraft } from '../../fleet/resources/model-names.queries.ts'
import { type MakeAndModel, modelKeysOf } from '../../fleet/resources/model-names.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { aircraft } from '../../qualification/currencies/pilot-facts.queries.ts'
import type { AircraftScope } from '../../qualification/currencies/recency.types.ts'
import type { ResourceFacts } from './booking-facts.types.ts'
import type { InspectionFacts, InspectionLimit } from './inspection-facts.types.ts'

export type SnapshotResource = Omit<ResourceFacts, 'taken'>

/** Returns the facts of resources, in one query; without `named`, no resource has the keys of its names. */
export async function loadResources(
  db: Db,
  organizationId: number,
  ids: readonly number[],
  { named }: { named: boolean },
): Promise<SnapshotResource[]> {
  const rows = await db
    .selectFrom('resource as x')
    .innerJoin('location as l', 'l.id', 'x.location_id')
    .select([
      'x.id',
      'x.name',
      'x.kind',
      'x.location_id',
      'l.time_zone_name',
      'l.latitude',
      'l.longitude',
      'x.flying_day_start_minute',
      'x.flying_day_end_minute',
      'x.wet_rate_cents as wet',
      'x.dry_rate_cents as dry',
      'x.grounded_by_person',
      'x.grounded_reason',
      'x.system_hold_reason',
      'x.make',
      'x.model',
      'x.endorsed_as as endorsedAs',
      (named ? isPlain('x') : sql<boolean>`false`).as('plain'),
      (named ? unlikeAircraft(organizationId) : sql<MakeAndModel[]>`'[]'::json`).as('unlike'),
      sql<AircraftScope | null>`case when x.kind = 'plane' then ${aircraft} end`.as('aircraft'),
      sql<boolean>`coalesce((x.traits ->> 'complex')::boolean, false)`.as('complex'),
      sql<boolean>`coalesce((x.traits ->> 'highPerformance')::boolean, false)`.as('highPerformance'),
      sql<
        MaintenanceItemFacts[]
      >`coalesce((select json_agg(json_build_object('id', d.id, 'name', d.name, 'grounding', d.grounding,
          'scope', d.scope, 'limits', (
          select json_agg(json_build_object('basis', x.basis, 'dueAt', x.due_at, 'due', x.due_hundredths, 'reads', ${reads}))
          from maintenance_limit x where x.organization_id = d.organization_id and x.reminder_id = d.id
            and (x.due_at is not null or x.due_hundredths is not null))) order by d.name, d.id)
        from maintenance_item d
        join resource r on r.organization_id = d.organization_id and r.id = d.resource_id
        where d.organization_id = x.organization_id and d.resource_id = x.id), '[]')`.as('inspections'),
      sql<{ title: string; excludes: ExcludedOperation[] }[]>`coalesce((
        select json_agg(json_build_object('title', s.title, 'excludes', s.excluded_operations) order by s.id)
        from squawk s where s.organization_id = x.organization_id and s.resource_id = x.id and s.status = 'deferred'
          and s.excluded_operations <> '[]'), '[]')`.as('deferrals'),
    ])
    .where('x.organization_id', '=', organizationId)
    .where('x.id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    zone: row.time_zone_name,
    coordinates:
      row.latitude == null || row.longitude == null ? null : { latitude: row.latitude, longitude: row.longitude },
    flyingDayStartMinute: row.flying_day_start_minute ?? null,
    flyingDayEndMinute: row.flying_day_end_minute ?? null,
    grounded: row.grounded_by_person || row.system_hold_reason !== null,
    groundedReason: row.grounded_reason ?? row.system_hold_reason ?? null,
    rates: { wet: row.wet ?? null, dry: row.dry ?? null },
    make: row.make ?? null,
    model: row.model ?? null,
    modelKeys: named ? modelKeysOf(row, row.unlike) : [],
    aircraft: row.aircraft,
    complex: row.complex,
    highPerformance: row.highPerformance,
    inspections: row.inspections.map(({ limits, ...item }) => ({
      ...item,
      limits: (limits ?? []).map((limit) => ({ ...limit, dueAt: dateOf(limit.dueAt) })),
    })),
    deferrals: row.deferrals,
    locationId: row.location_id,
  }))
}

type MaintenanceItemFacts = Omit<InspectionFacts, 'limits'> & {
  limits: (Omit<InspectionLimit, 'dueAt'> & { dueAt: string | null })[] | null
}

/** Returns an instant of JSON. */
export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
