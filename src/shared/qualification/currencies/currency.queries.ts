import { type RawBuilder, sql } from 'kysely'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { asTenths } from '../../platform/db/tenths.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { type CurrencyKind, type currencyAudiences, type EndReason, regulatedKinds } from './currency.rules.ts'
import type { CurrencyEvidence, RecordedDates, Requirement } from './currency-state.rules.ts'
import { type FlownRow, flownAircraft, type HoursRow, hoursOf, type MemberHours } from './hours-in-model.queries.ts'
import type { HoursScope } from './hours-in-model.rules.ts'
import type { MedicalPrivilege } from './medical.rules.ts'
import { findPilotFacts } from './pilot-facts.queries.ts'
import type { PilotFacts } from './recency.types.ts'

function selectCurrencies(db: Db, organizationId: number) {
  return db.selectFrom('currency').selectAll().where('organization_id', '=', organizationId).orderBy('id')
}

export type CurrencyRow = Awaited<ReturnType<ReturnType<typeof selectCurrencies>['execute']>>[number]

/** Returns the currencies of an organization, oldest first. */
export function listCurrencies(db: Db, organizationId: number) {
  return pageable(db, selectCurrencies(db, organizationId))
}

/** Returns one currency of the organization. */
export async function findCurrency(db: Db, organizationId: number, id: number): Promise<CurrencyRow> {
  const row = await selectCurrencies(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** The recorded dates of a member, the document that proves them, and the member who recorded them. */
export interface MemberRecord extends RecordedDates {
  orgUserId: number
  documentId: number | null
  recordedBy: number
  /** Why somebody ended it, for the member and the admins alone; null: it was not ended, or no reason was given. */
  endedBecause: EndReason | null
  endedNote: string | null
  /** The member from whom a merge of members moved the record; null for other records. */
  mergedFrom: PersonRow | null
}

/** A currency with the records and flights of some members. */
export interface CurrencyWithEvidence extends RuleSettings {
  id: number
  name: string
  kind: CurrencyKind
  blocking: boolean
  appliesTo: (typeof currencyAudiences)[number]
  warnDays: number
  roles: Role[]
  reservationTypes: ReservationType[]
  resourceIds: number[]
  requires: Requirement
  records: MemberRecord[]
  flights: { id: number; orgUserId: number; flownAt: Date }[]
  hours: MemberHours[]
  /** The facts that a regulation needs, by orgUserId; empty for a kind that does not follow a regulation. */
  pilots: ReadonlyMap<number, PilotFacts>
}

interface EvidenceRow extends Omit<CurrencyWithEvidence, 'requires' | 'records' | 'flights' | 'hours' | 'pilots'> {
  deciHours: number | null
  scopeOfHours: HoursScope | null
  count: number | null
  days: number | null
  privilege: MedicalPrivilege | null
  records: (Omit<MemberRecord, 'completedAt' | 'expiresAt' | 'courseAt'> & {
    completedAt: string
    expiresAt: string | null
    courseAt: string | null
  })[]
  flights: { id: number; orgUserId: number; flownAt: string }[]
  hours: HoursRow[]
  fleet: FlownRow[]
}

/**
 * Returns the currencies of an organization with members' records and flights: all currencies, or with `enforcedOnly` those
 * that are not off. The flights are signed, were flown in a plane or on the rule's own resources, and count for a booking
 * within the span. A second query reads the facts that regulations need, when a currency follows one.
 */
export async function findCurrencyEvidence(
  db: Db,
  organizationId: number,
  wanted: { orgUserIds: readonly number[]; span: { start: Date; end: Date }; enforcedOnly: boolean },
): Promise<CurrencyWithEvidence[]> {
  const { orgUserIds, span, enforcedOnly } = wanted
  const { rows } = await sql<EvidenceRow>`
    select c.id, c.name, c.kind, c.enforcement = 'block' as blocking, c.enforcement,
      c.lifted_when_supervised as "liftedWhenSupervised", c.overridable_by as "overridableBy",
      c.applies_to as "appliesTo", c.warn_days as "warnDays", c.roles,
      c.reservation_types as "reservationTypes", c.resource_ids as "resourceIds", c.flight_count as count,
      c.flight_days as days, c.privilege, c.deci_hours as "deciHours", c.scope_of_hours as "scopeOfHours",
      ${hoursFlown(orgUserIds, span)} as hours, ${flownAircraft} as fleet,
      coalesce((select json_agg(json_build_object('id', k.id, 'orgUserId', k.membership_id,
          'completedAt', k.completed_at, 'expiresAt', k.expires_at, 'documentId', k.document_id,
          'medicalClass', k.medical_class, 'courseAt', k.course_at, 'recordedBy', k.recorded_by,
          'endedOn', k.ended_on, 'endedBecause', k.ended_because, 'endedNote', k.ended_note,
          'mergedFrom', case when k.merged_from is not null then ${personJson('k.merged_from')} end))
        from currency_record k where k.organization_id = c.organization_id and k.currency_id = c.id
          and k.membership_id = any(${orgUserIds})), '[]') as records,
      case when c.kind <> 'recent_flights' then '[]' else coalesce((
        select json_agg(json_build_object('id', r.id, 'orgUserId', s.membership_id, 'flownAt', r.starts_at))
        ${countedFlights(sql`s.membership_id = any(${orgUserIds})`, span)}), '[]') end as flights
    from currency c
    where c.organization_id = ${organizationId} ${enforcedOnly ? sql`and c.enforcement <> 'off'` : sql``}
    order by c.id`.execute(db)
  const regulated = rows.some(({ kind }) => isRegulated(kind))
  const pilots = regulated ? await findPilotFacts(db, organizationId, orgUserIds, span.start) : nobody
  return rows.map(({ count, days, privilege, deciHours, scopeOfHours, records, flights, hours, fleet, ...row }) => ({
    ...row,
    requires: requirementOf(row.kind, { count, days, privilege, deciHours, scopeOfHours }),
    records: records.map((record) => ({
      ...record,
      completedAt: new Date(record.completedAt),
      expiresAt: record.expiresAt === null ? null : new Date(record.expiresAt),
      courseAt: record.courseAt === null ? null : new Date(record.courseAt),
    })),
    flights: flights.map((flight) => ({ ...flight, flownAt: new Date(flight.flownAt) })),
    hours: hoursOf(hours, fleet),
    pilots: isRegulated(row.kind) ? pilots : nobody,
  }))
}

/**
 * Returns SQL for the hours of members that a currency `c` of hours counts for a booking within the span: the total time of each
 * flight, as the log has it. Where the currency looks back without an end, the flights before the span are one row per aircraft.
 */
function hoursFlown(orgUserIds: readonly number[], span: { start: Date; end: Date }): RawBuilder<HoursRow[]> {
  // Two extra days cover the offset of local days from UTC in every zone.
  return sql`case when c.kind <> 'hours_in_model' then '[]' else coalesce((select json_agg(h) from (
    select max(r.id) as id, s.membership_id as "orgUserId", r.resource_id as "resourceId", max(r.starts_at) as "flownAt",
      sum(${asTenths(sql`r.hobbs_in - r.hobbs_out`)})::int as tenths
    from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    join resource x on x.organization_id = r.organization_id and x.id = r.resource_id and x.kind = 'plane'
    where s.organization_id = c.organization_id and s.membership_id = any(${orgUserIds}) and s.live and r.hobbs_in is not null
      and r.type <> 'maintenance' and s.starts_at < ${span.end}
      and (c.flight_days is null or s.starts_at > ${span.start}::timestamptz - make_interval(days => c.flight_days + 2))
    group by s.membership_id, r.resource_id,
      case when c.flight_days is not null or r.starts_at >= ${span.start} then r.id end) h), '[]') end`
}

const nobody: ReadonlyMap<number, PilotFacts> = new Map()

function isRegulated(kind: CurrencyKind): boolean {
  return regulatedKinds.some((one) => one === kind)
}

type RequirementColumns = Pick<EvidenceRow, 'count' | 'days' | 'privilege' | 'deciHours' | 'scopeOfHours'>

function requirementOf(
  kind: CurrencyKind,
  { count, days, privilege, deciHours, scopeOfHours: scope }: RequirementColumns,
): Requirement {
  if (kind === 'hours_in_model') return { kind, deciHours: deciHours ?? 1, days, scope: scope ?? 'make_model' }
  if (kind === 'recent_flights') return { kind, count: count ?? 1, days: days ?? 1 }
  return kind === 'medical' ? { kind, privilege: privilege ?? 'private' } : { kind }
}

/** Returns the evidence of one member in a currency. */
export function evidenceOf(
  { records, flights, hours, pilots }: CurrencyWithEvidence,
  orgUserId: number,
): CurrencyEvidence {
  return {
    record: records.find((one) => one.orgUserId === orgUserId) ?? null,
    flights: flights.filter((one) => one.orgUserId === orgUserId),
    hours: hours.filter((one) => one.orgUserId === orgUserId),
    pilot: pilots.get(orgUserId) ?? null,
  }
}

/** A booking on which a member flew. */
export interface FlightSince {
  id: number
  start: Date
}

/** The most flights that are listed after the end of a currency. */
export const MOST_FLIGHTS = 100

/** Returns the first bookings on which a member flew in a plane that left in this time, oldest first. */
export function findFlightsSince(
  db: Db,
  organizationId: number,
  { orgUserId, from, to }: { orgUserId: number; from: Date; to: Date },
): Promise<FlightSince[]> {
  return db
    .selectFrom('seat as s')
    .innerJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 's.organization_id').onRef('r.id', '=', 's.reservation_id'),
    )
    .innerJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'r.organization_id').onRef('x.id', '=', 'r.resource_id'),
    )
    .select(['r.id', 'r.starts_at as start'])
    .distinct()
    .where('s.organization_id', '=', organizationId)
    .where('s.membership_id', '=', orgUserId)
    .where('s.live', '=', true)
    .where('s.starts_at', '>=', from)
    .where('s.starts_at', '<=', to)
    .where('r.ramped_out_at', 'is not', null)
    .where('x.kind', '=', 'plane')
    .orderBy('r.starts_at')
    .orderBy('r.id')
    .limit(MOST_FLIGHTS)
    .execute()
}

/**
 * Returns SQL for a FROM clause: the signed flights that count for a currency `c` and a booking within the span. They are
 * flights on the members' seats `s`, in a plane or on the rule's own resources.
 */
export function countedFlights(ofMember: RawBuilder<unknown>, span: { start: Date; end: Date }): RawBuilder<unknown> {
  // Two extra days cover the offset of local days from UTC in every zone.
  return sql`
    from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where s.organization_id = c.organization_id and ${ofMember} and s.live
      and s.starts_at < ${span.end} and s.starts_at > ${span.start}::timestamptz - make_interval(days => c.flight_days + 2)
      and r.signed_off_at is not null
      and case when c.resource_ids = '[]' then x.kind = 'plane' else c.resource_ids @> to_jsonb(x.id) end`
}
