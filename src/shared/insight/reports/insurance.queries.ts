import { sql } from 'kysely'
import { namedAircraft } from '../../fleet/resources/model-names.queries.ts'
import { byNames, modelKey, type NamedAircraft } from '../../fleet/resources/model-names.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { asTenths } from '../../platform/db/tenths.ts'
import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { type MemberStates, readMemberStates } from './currencies.queries.ts'
import { type InsuredAircraft, type InsuredHours, insuredHours } from './insurance.rules.ts'

/** The days of the time that counts as recent. */
const RECENT_DAYS = 90

/** A member as an insurer asks about pilots. The ends are the last good local days; null: none on record. */
export interface InsuredMember extends InsuredHours {
  orgUserId: number
  name: string
  reviewUntil: string | null
  medicalUntil: string | null
}

interface FleetRow extends Omit<InsuredAircraft, 'model' | 'modelKeys'> {
  id: number
  named: NamedAircraft
}

interface HoursRow {
  orgUserId: number
  flown: { resourceId: number; tenths: number; recentTenths: number }[]
  prior: { makeAndModel: string; picDeciHours: number }[] | null
}

/**
 * Yields the members whom the reader may see, in batches by name: desk staff everybody, instructors themselves and their own
 * students. Hours are of this school's flights in aircraft. Implements interface §Reports.
 */
export async function* readInsuredMembers(db: Db, reader: Actor, now: Date): AsyncGenerator<InsuredMember[]> {
  const { organizationId, organization } = reader
  const fleet = await findFleet(db, organizationId)
  const since = wallToInstant(
    addDays(localDate(now, organization.timeZoneName), -RECENT_DAYS),
    0,
    organization.timeZoneName,
  )
  for await (const members of readMemberStates(db, reader, now)) {
    const hours = await findHours(
      db,
      organizationId,
      members.map(({ orgUserId }) => orgUserId),
      since,
    )
    yield members.map((member) => insuredMember(member, hours.get(member.orgUserId), fleet))
  }
}

function insuredMember(
  { orgUserId, name, states }: MemberStates,
  row: HoursRow | undefined,
  fleet: ReadonlyMap<number, InsuredAircraft>,
): InsuredMember {
  const lastDay = (kind: string) => {
    const ends = states.flatMap(({ currency, validUntil }) =>
      currency.kind === kind && validUntil ? [validUntil] : [],
    )
    return ends.sort().at(-1) ?? null
  }
  const flown = (row?.flown ?? []).map(({ resourceId, ...time }) => ({ ...time, aircraft: fleet.get(resourceId)! }))
  const prior = (row?.prior ?? []).map(({ makeAndModel, picDeciHours }) => ({
    name: makeAndModel,
    key: modelKey(makeAndModel),
    picDeciHours,
  }))
  const ends = { reviewUntil: lastDay('flight_review'), medicalUntil: lastDay('medical') }
  return { orgUserId, name, ...ends, ...insuredHours(flown, prior) }
}

async function findFleet(db: Db, organizationId: number): Promise<Map<number, InsuredAircraft>> {
  const { rows } = await sql<FleetRow>`
    select x.id, ${namedAircraft('x')} as named, coalesce((x.traits ->> 'complex')::boolean, false) as complex,
      coalesce((x.traits ->> 'highPerformance')::boolean, false) as "highPerformance",
      coalesce((x.traits ->> 'tailwheel')::boolean, false) as tailwheel
    from resource x where x.organization_id = ${organizationId} and x.kind = 'plane'`.execute(db)
  return byNames(rows)
}

async function findHours(
  db: Db,
  organizationId: number,
  orgUserIds: readonly number[],
  since: Date,
): Promise<Map<number, HoursRow>> {
  const time = asTenths(sql`r.hobbs_in - r.hobbs_out`)
  const { rows } = await sql<HoursRow>`
    with flown as materialized (
      select s.membership_id, r.resource_id, sum(${time})::int as tenths,
        coalesce(sum(${time}) filter (where r.starts_at >= ${since}), 0)::int as recent
      from seat s
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      join resource x on x.organization_id = r.organization_id and x.id = r.resource_id and x.kind = 'plane'
      where s.organization_id = ${organizationId} and s.membership_id = any(${orgUserIds}::int[]) and s.live
        and r.hobbs_in is not null and r.type <> 'maintenance'
      group by s.membership_id, r.resource_id)
    select m.id as "orgUserId", p.verified #> '{priorExperience,value,hours}' as prior,
      coalesce((select json_agg(json_build_object('resourceId', f.resource_id, 'tenths', f.tenths, 'recentTenths', f.recent))
        from flown f where f.membership_id = m.id), '[]') as flown
    from membership m
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
    where m.organization_id = ${organizationId} and m.id = any(${orgUserIds}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.orgUserId, row]))
}
