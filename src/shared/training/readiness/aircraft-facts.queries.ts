import { sql } from 'kysely'
import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import { findBookingsAhead, findUse } from '../../fleet/maintenance/forecast.queries.ts'
import { forecast, unknownUse } from '../../fleet/maintenance/forecast.rules.ts'
import {
  dueOf,
  findAllMaintenanceItems,
  type MaintenanceItemRow,
  metersOfRow,
} from '../../fleet/maintenance/maintenance-item.queries.ts'
import { limitStatus } from '../../fleet/maintenance/maintenance-item.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { loadResources, type SnapshotResource } from '../../scheduling/rules/resource-facts.queries.ts'
import type { SoloFlight } from '../../scheduling/rules/solo-flight.rules.ts'
import type { FactsById, JsonInterval, JudgedRow, JudgedScope } from './judged-enrollment.types.ts'
import { byEnrollment, dateOf } from './person-facts.queries.ts'
import { type AircraftFacts, inspectionKinds } from './readiness-facts.types.ts'

interface PlanRow {
  id: number
  files: { id: number; category: string; expiresAt: string | null }[]
  deferrals: { id: number; title: string; excludes: ExcludedOperation[]; until: string | null }[]
  booking:
    | (JsonInterval & { id: number; type: string; ifr: boolean; supervised: boolean; solo: SoloFlight | null })
    | null
}

type Inspection = AircraftFacts['inspections'][number]

/** Returns the planned aircraft with its inspections, files and deferrals and the booking for the test, by enrollment; null without a plan. */
export async function findAircraftFacts(
  db: Db,
  scope: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<AircraftFacts | null>> {
  const planned = enrollments.filter(({ resourceId }) => resourceId !== null)
  const ids = [...new Set(planned.flatMap(({ resourceId }) => resourceId ?? []))]
  if (ids.length === 0) return byEnrollment(enrollments, () => null)
  const [resources, inspections, plans] = await Promise.all([
    loadResources(db, scope.organizationId, ids, { named: true }),
    findInspections(db, scope, ids),
    findPlans(db, scope.organizationId, planned),
  ])
  return byEnrollment(enrollments, ({ id, resourceId }): AircraftFacts | null => {
    const resource = resources.find((one) => one.id === resourceId)
    const plan = plans.get(id)
    return resource && plan ? aircraftOf(resource, inspections.get(resource.id) ?? [], plan) : null
  })
}

function aircraftOf(
  { id, name, zone, coordinates, grounded, groundedReason, modelKeys, aircraft }: SnapshotResource,
  inspections: readonly Inspection[],
  { files, deferrals, booking }: PlanRow,
): AircraftFacts {
  return {
    id,
    name,
    category: aircraft?.category ?? null,
    class: aircraft?.class ?? null,
    grounded: grounded ? (groundedReason ?? '') : null,
    modelKeys,
    inspections,
    files: files.map((file) => ({ ...file, expiresAt: dateOf(file.expiresAt) })),
    deferrals,
    place: { zone, coordinates },
    booking: booking && { ...booking, start: new Date(booking.start), end: new Date(booking.end) },
  }
}

/** Returns the maintenance items that a test asks for, with the instant at which each is expected to be due, by aircraft. */
async function findInspections(
  db: Db,
  { organizationId, now }: JudgedScope,
  resourceIds: readonly number[],
): Promise<Map<number, Inspection[]>> {
  const all = await findAllMaintenanceItems(db, organizationId, resourceIds)
  const items = all.filter(({ kind }) => isAsked(kind))
  const metered = items.filter((item) => item.limits.some(({ basis }) => basis !== 'calendar'))
  const ids = [...new Set(metered.map((item) => item.resource_id))]
  const [use, ahead] = await Promise.all(
    ids.length === 0
      ? [new Map(), new Map()]
      : [findUse(db, organizationId, ids, now), findBookingsAhead(db, organizationId, ids, now)],
  )
  const inspectionOf = (item: MaintenanceItemRow): Inspection[] => {
    const { id, kind, name, resource_id: of } = item
    if (!isAsked(kind)) return []
    const due = dueOf(item)
    const at = { now, meters: metersOfRow(item) }
    const { expectedAt } = forecast(due, at, ahead.get(of) ?? [], use.get(of) ?? unknownUse)
    const known = due.limits.every((limit) => limitStatus(limit, due, at) !== 'unknown')
    return [{ id, kind, name, endsAt: expectedAt, known }]
  }
  const byResource = Map.groupBy(items, (item) => item.resource_id)
  return new Map([...byResource].map(([id, own]) => [id, own.flatMap(inspectionOf)]))
}

function isAsked(kind: string): kind is Inspection['kind'] {
  return inspectionKinds.some((one) => one === kind)
}

/** Returns the files and deferrals of the planned aircraft, and the booking of the student for it at the test, by enrollment. */
async function findPlans(db: Db, organizationId: number, planned: readonly JudgedRow[]): Promise<Map<number, PlanRow>> {
  const rows = await readRows(
    db,
    sql<PlanRow>`
    select w.id,
      coalesce((select json_agg(json_build_object('id', f.id, 'category', f.category, 'expiresAt', f.expires_at) order by f.id desc)
        from resource_file f where f.organization_id = ${organizationId} and f.resource_id = w.resource_id
          and f.squawk_id is null and f.completion_id is null and f.deleted_at is null and f.upload = 'stored'), '[]') as files,
      coalesce((select json_agg(json_build_object('id', s.id, 'title', s.title, 'excludes', s.excluded_operations,
          'until', s.deferred_until) order by s.id)
        from squawk s where s.organization_id = ${organizationId} and s.resource_id = w.resource_id and s.status = 'deferred'),
        '[]') as deferrals,
      (select json_build_object('id', r.id, 'type', r.type, 'start', r.starts_at, 'end', r.ends_at, 'solo', r.solo,
          'ifr', r.ifr, 'supervised', exists (select 1 from seat i where i.organization_id = r.organization_id
            and i.reservation_id = r.id and i.side = 'instructors'))
        from seat p join reservation r on r.organization_id = p.organization_id and r.id = p.reservation_id
        where p.organization_id = ${organizationId} and p.membership_id = w.membership_id and p.side <> 'instructors' and p.live
          and p.starts_at <= w.at and p.ends_at > w.at and r.resource_id = w.resource_id
        order by r.id limit 1) as booking
    from unnest(${planned.map(({ id }) => id)}::int[], ${planned.map(({ resourceId }) => resourceId)}::int[],
      ${planned.map(({ membershipId }) => membershipId)}::int[], ${planned.map(({ at }) => at)}::timestamptz[])
      as w (id, resource_id, membership_id, at)`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
