import { sql } from 'kysely'
import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import { reads } from '../../fleet/maintenance/maintenance-item.queries.ts'
import { type Role, type RoleFlags, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ApprovalFacts } from '../../qualification/approvals/approval.rules.ts'
import { evidenceOf, findCurrencyEvidence } from '../../qualification/currencies/currency.queries.ts'
import { aircraft } from '../../qualification/currencies/pilot-facts.queries.ts'
import type { AircraftScope } from '../../qualification/currencies/recency.types.ts'
import { isProven } from '../../qualification/endorsement-proof.queries.ts'
import { minimumsOfMember } from '../../qualification/minimums/minimums.queries.ts'
import { findStationReports } from '../weather/station-reports.queries.ts'
import type { StationReports } from '../weather/weather-during.rules.ts'
import type {
  CurrencyRuleFacts,
  EndorsementFacts,
  InspectionFacts,
  InspectionLimit,
  MemberFacts,
  ResourceFacts,
} from './booking-facts.types.ts'
import { type BusyTimesOf, loadBusyTimes, type Wanted } from './busy-times.queries.ts'
import { isAboutToStart } from './minimums.rules.ts'
import { accountOfMember, cardDeclined } from './paid-ahead.queries.ts'
import type { WantedQualifications } from './qualifications.rules.ts'

/** The facts of the requested people and resources: loaded once, used for one slot or for thousands. */
export interface SchedulingSnapshot {
  resources: Map<number, SnapshotResource>
  members: Map<number, SnapshotMember>
  /** Names by guest id. */
  guests: Map<number, string>
  taken: BusyTimesOf
  /** The currencies that are not off. */
  currencies: CurrencyRuleFacts[]
  /** By location id. */
  weather: ReadonlyMap<number, StationReports>
}

export type SnapshotResource = Omit<ResourceFacts, 'taken'>

export interface SnapshotMember extends MemberFacts {
  name: string
}

/**
 * Returns the facts of the booking rules, in at most six queries: resources, people, busy times and currencies; the facts
 * that regulations need; and the weather. Ids that the organization does not have are absent.
 */
export async function loadSchedulingSnapshot(
  db: Db,
  organizationId: number,
  wanted: Wanted & WantedQualifications,
): Promise<SchedulingSnapshot> {
  const { memberIds, guestIds, resourceIds, span, now } = wanted
  const weather = wanted.weather && isAboutToStart(span, now)
  const resources = resourceIds.length > 0 ? await loadResources(db, organizationId, resourceIds) : []
  const people =
    memberIds.length + guestIds.length > 0 ? await loadPeople(db, organizationId, { ...wanted, weather }) : []
  const taken = await loadBusyTimes(db, organizationId, wanted)
  const currencies =
    memberIds.length > 0
      ? await findCurrencyEvidence(db, organizationId, { orgUserIds: memberIds, span, enforcedOnly: true })
      : []
  const members = people.filter((row) => row.kind === 'member')
  return {
    resources: new Map(resources.map((resource) => [resource.id, resource])),
    members: new Map(members.map((row) => [row.id, memberOf(row, currencies)])),
    guests: new Map(people.filter((row) => row.kind === 'guest').map((row) => [row.id, row.name])),
    taken,
    currencies,
    weather: weather ? await findStationReports(db, organizationId) : new Map(),
  }
}

async function loadResources(db: Db, organizationId: number, ids: readonly number[]): Promise<SnapshotResource[]> {
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
      sql<AircraftScope | null>`case when x.kind = 'plane' then ${aircraft} end`.as('aircraft'),
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
    aircraft: row.aircraft,
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

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

type PlainFacts = 'grounded' | 'groundedReason' | 'groundedFor' | 'availability' | 'inPart141' | 'cardDeclined'

interface PersonRow
  extends RoleFlags,
    Pick<MemberFacts, PlainFacts | 'citizenshipVerified' | 'account' | 'minimums' | 'rates'> {
  id: number
  kind: 'member' | 'guest'
  name: string
  approvals: (Omit<ApprovalFacts, 'expiresAt'> & { expiresAt: string | null })[]
  timeOff: { start: string; end: string }[]
  documents: { category: string; expiresAt: string | null; verified: boolean }[]
  endorsements: (Omit<EndorsementFacts, 'expiresAt'> & { expiresAt: string | null })[]
}

async function loadPeople(
  db: Db,
  organizationId: number,
  {
    memberIds,
    guestIds,
    resourceIds,
    span,
    documentCategories,
    verifiedOnly,
    endorsementCodes,
    balances,
    citizenship,
    weather,
  }: Wanted & WantedQualifications,
): Promise<PersonRow[]> {
  const flags = sql.join(roles.map((role: Role) => sql`m.${sql.ref(role)}`))
  const none = sql.join(roles.map(() => sql`false`))
  const { rows } = await sql<PersonRow>`
    select m.id, 'member' as kind, m.search_name as name, ${flags}, m.grounded, m.grounded_reason as "groundedReason",
      coalesce(m.grounded_for, 'all') as "groundedFor",
      coalesce((select json_agg(json_build_object('resourceId', p.resource_id, 'make', p.make, 'model', p.model,
        'expiresAt', p.expires_at)) from resource_approval p where p.organization_id = m.organization_id
          and p.membership_id = m.id and (p.resource_id is null or p.resource_id = any(${resourceIds}))), '[]') as approvals,
      coalesce((select json_agg(json_build_object('dayOfWeek', v.day_of_week, 'startMinute', v.start_minute,
        'endMinute', v.end_minute)) from availability v
        where v.organization_id = m.organization_id and v.membership_id = m.id), '[]') as availability,
      coalesce((select json_agg(json_build_object('start', t.starts_at, 'end', t.ends_at)) from time_off t
        where t.organization_id = m.organization_id and t.membership_id = m.id
          and t.ends_at > ${span.start} and t.starts_at < ${span.end}), '[]') as "timeOff",
      coalesce((select json_agg(json_build_object('category', d.category, 'expiresAt', d.expires_at,
        'verified', d.status = 'verified')) from document d
        where d.organization_id = m.organization_id and d.membership_id = m.id and d.upload = 'stored'
          and d.category = any(${documentCategories}) and d.status <> 'rejected'
          and (d.status = 'verified' or not ${verifiedOnly}::boolean)), '[]') as documents,
      coalesce((select json_agg(json_build_object('code', e.template_code, 'expiresAt', e.expires_at,
          'makeAndModel', e.parameters ->> 'makeAndModel')) from endorsement e
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.superseded_at is null
          and e.template_code = any(${endorsementCodes}) and ${isProven('e')}),
        '[]') as endorsements,
      exists (select from enrollment e
        join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.status = 'enrolled'
          and c.regulatory_part = 'part141') as "inPart141",
      (${citizenship}::boolean and (exists (select from member_profile p where p.organization_id = m.organization_id and p.membership_id = m.id
          and p.facts #>> '{citizenshipVerification,kind}' is not null)
        or exists (select from endorsement e where e.organization_id = m.organization_id and e.membership_id = m.id
          and e.template_code = 'A.14' and e.superseded_at is null and ${isProven('e')}))) as "citizenshipVerified",
      ${cardDeclined} as "cardDeclined", case when ${balances}::boolean then ${accountOfMember} end as account,
      case when ${weather}::boolean then ${minimumsOfMember} end as minimums, json_build_object('flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) as rates
    from membership m
    where m.organization_id = ${organizationId} and m.id = any(${memberIds}) and m.removed_at is null
    union all
    select g.id, 'guest', g.name, ${none}, false, null, 'all', '[]'::json, '[]'::json, '[]'::json, '[]'::json, '[]'::json, false, false, false, null::json, null::json, null
    from guest g where g.organization_id = ${organizationId} and g.id = any(${guestIds})`.execute(db)
  return rows
}

function memberOf(row: PersonRow, currencies: Awaited<ReturnType<typeof findCurrencyEvidence>>): SnapshotMember {
  const own = <T extends { orgUserId: number }>(all: T[]) => all.filter((one) => one.orgUserId === row.id)
  return {
    name: row.name,
    roles: roleFlags(row),
    grounded: row.grounded,
    groundedReason: row.groundedReason,
    groundedFor: row.groundedFor,
    approvals: row.approvals.map((one) => ({ ...one, expiresAt: dateOf(one.expiresAt) })),
    availability: row.availability,
    timeOff: row.timeOff.map((one) => ({ start: new Date(one.start), end: new Date(one.end) })),
    documents: row.documents.map((one) => ({ ...one, expiresAt: dateOf(one.expiresAt) })),
    endorsements: row.endorsements.map((one) => ({ ...one, expiresAt: dateOf(one.expiresAt) })),
    inPart141: row.inPart141,
    citizenshipVerified: row.citizenshipVerified,
    cardDeclined: row.cardDeclined,
    account: row.account,
    minimums: row.minimums,
    rates: row.rates,
    currencyRecords: currencies.flatMap(({ id, records }) =>
      own(records).map(({ expiresAt, endedOn }) => ({ currencyId: id, expiresAt, endedOn })),
    ),
    signedFlights: currencies.flatMap(({ id, flights }) =>
      own(flights).map(({ flownAt }) => ({ currencyId: id, flownAt })),
    ),
    regulated: new Map(currencies.map((currency) => [currency.id, evidenceOf(currency, row.id)])),
  }
}
