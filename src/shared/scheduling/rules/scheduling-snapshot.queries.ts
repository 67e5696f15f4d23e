import { sql } from 'kysely'
import { type Role, type RoleFlags, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ApprovalFacts } from '../../qualification/approvals/approval.rules.ts'
import { evidenceOf, findCurrencyEvidence } from '../../qualification/currencies/currency.queries.ts'
import { isProven } from '../../qualification/endorsement-proof.queries.ts'
import { minimumsOfMember } from '../../qualification/minimums/minimums.queries.ts'
import { findStationReports } from '../weather/station-reports.queries.ts'
import type { StationReports } from '../weather/weather-during.rules.ts'
import type { CurrencyFacts, MemberFacts } from './booking-facts.types.ts'
import { type BusyTimesOf, loadBusyTimes, type Wanted } from './busy-times.queries.ts'
import { isAboutToStart } from './minimums.rules.ts'
import { accountOfMember, cardDeclined } from './paid-ahead.queries.ts'
import type { WantedQualifications } from './qualifications.rules.ts'
import type { EndorsementFacts } from './rating-papers.rules.ts'
import {
  crossCountryAmong,
  instrumentAmong,
  ratingFacts,
  ratingsOfMember,
  type StoredRatings,
} from './ratings.queries.ts'
import { dateOf, loadResources, type SnapshotResource } from './resource-facts.queries.ts'

/** The facts of the requested people and resources: loaded once, used for one slot or for thousands. */
export interface SchedulingSnapshot {
  resources: Map<number, SnapshotResource>
  members: Map<number, SnapshotMember>
  /** Names by guest id. */
  guests: Map<number, string>
  taken: BusyTimesOf
  /** The currencies that are not off. */
  currencies: CurrencyFacts[]
  /** Of the wanted lessons, those of a course for an instrument rating. */
  instrumentLessons: ReadonlySet<number>
  /** Of the wanted lessons, those that credit solo and cross-country time. */
  crossCountryLessons: ReadonlySet<number>
  /** By location id. */
  weather: ReadonlyMap<number, StationReports>
}

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
  wanted: Wanted & WantedQualifications & { lessonIds?: readonly number[] | undefined },
): Promise<SchedulingSnapshot> {
  const { memberIds, guestIds, resourceIds, span, now } = wanted
  const weather = wanted.weather && isAboutToStart(span, now)
  const people =
    memberIds.length + guestIds.length > 0
      ? await loadPeople(db, organizationId, { ...wanted, weather, lessonIds: wanted.lessonIds ?? [] })
      : []
  const taken = await loadBusyTimes(db, organizationId, wanted)
  const currencies =
    memberIds.length > 0
      ? await findCurrencyEvidence(db, organizationId, { orgUserIds: memberIds, span, enforcedOnly: true })
      : []
  // Only endorsements, ratings and hours in a model name an aircraft.
  const isModelAsked = currencies.some(({ requires }) => requires.kind === 'hours_in_model')
  const named = isModelAsked || wanted.ratings || wanted.endorsementCodes.length > 0
  const resources = resourceIds.length > 0 ? await loadResources(db, organizationId, resourceIds, { named }) : []
  const members = people.filter((row) => row.kind === 'member')
  return {
    resources: new Map(resources.map((resource) => [resource.id, resource])),
    members: new Map(members.map((row) => [row.id, memberOf(row, currencies)])),
    guests: new Map(people.filter((row) => row.kind === 'guest').map((row) => [row.id, row.name])),
    taken,
    currencies,
    instrumentLessons: new Set(people[0]?.instrumentLessons ?? []),
    crossCountryLessons: new Set(people[0]?.crossCountryLessons ?? []),
    weather: weather ? await findStationReports(db, organizationId) : new Map(),
  }
}

type PlainFacts =
  | 'grounded'
  | 'groundedReason'
  | 'groundedFor'
  | 'availability'
  | 'inPart141'
  | 'cardDeclined'
  | 'billToId'
  | 'billToName'

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
  ratings: StoredRatings | null
  instrumentLessons: number[]
  crossCountryLessons: number[]
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
    ratings,
    lessonIds,
    weather,
  }: Wanted & WantedQualifications & { lessonIds: readonly number[] },
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
          'makeAndModel', e.parameters ->> 'makeAndModel', 'airport', e.parameters ->> 'airport',
          'otherAirport', e.parameters ->> 'otherAirport', 'flightOn', e.parameters ->> 'date')) from endorsement e
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.superseded_at is null
          and e.template_code = any(${endorsementCodes}) and ${isProven('e')}),
        '[]') as endorsements,
      ${ratings ? ratingsOfMember(resourceIds) : sql`null::json`} as ratings,
      ${ratings ? instrumentAmong(organizationId, lessonIds) : sql`'{}'::int[]`} as "instrumentLessons",
      ${endorsementCodes.length > 0 ? crossCountryAmong(organizationId, lessonIds) : sql`'{}'::int[]`} as "crossCountryLessons",
      exists (select from enrollment e
        join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.status = 'enrolled'
          and c.regulatory_part = 'part141') as "inPart141",
      (${citizenship}::boolean and (exists (select from member_profile p where p.organization_id = m.organization_id and p.membership_id = m.id
          and p.facts #>> '{citizenshipVerification,kind}' is not null)
        or exists (select from endorsement e where e.organization_id = m.organization_id and e.membership_id = m.id
          and e.template_code = 'A.14' and e.superseded_at is null and ${isProven('e')}))) as "citizenshipVerified",
      case when m.bill_to_accepted_at is not null then m.bill_to_id end as "billToId",
      (select p.search_name from membership p where p.organization_id = m.organization_id and p.id = m.bill_to_id
        and m.bill_to_accepted_at is not null) as "billToName", ${cardDeclined} as "cardDeclined", case when ${balances}::boolean then ${accountOfMember} end as account,
      case when ${weather}::boolean then ${minimumsOfMember} end as minimums, json_build_object('flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) as rates
    from membership m
    where m.organization_id = ${organizationId} and m.id = any(${memberIds}) and m.removed_at is null
    union all
    select g.id, 'guest', g.name, ${none}, false, null, 'all', '[]'::json, '[]'::json, '[]'::json, '[]'::json, '[]'::json, null::json, '{}'::int[], '{}'::int[], false, false, null::int, null, false, null::json, null::json, null
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
    ratings: row.ratings && ratingFacts(row.ratings),
    inPart141: row.inPart141,
    citizenshipVerified: row.citizenshipVerified,
    billToId: row.billToId,
    billToName: row.billToName,
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
