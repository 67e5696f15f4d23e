import { sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import { type Role, roleFlags, roles } from '../authz/roles.ts'
import type { Db } from '../db/database.ts'
import { Invalid } from '../kernel/errors.ts'
import type { Interval } from '../kernel/instants.ts'
import type { BookingFacts, MemberFacts, ResourceFacts, SeatFacts, Taken } from './booking-facts.ts'
import type { ReservationType, Side } from './reservation-types.rules.ts'

/** A seat as asked for: a member, a guest of ours, or a guest who is not known yet. */
export type SeatInput = { side: Side; index: number } & (
  | { orgUserId: number }
  | { guestId: number }
  | { name: string; email: string | null; phone: string | null }
)

/** A booking as asked for, before the rules see it. */
export interface BookingInput extends Interval {
  /** The booking that is moved; null for a new one. */
  id: number | null
  type: ReservationType
  zone: string
  resourceId: number | null
  seats: SeatInput[]
}

/**
 * Loads everything that the booking rules ask about, in three queries: the resource, the people, and what is taken
 * within `span` (the booking itself, or its whole series).
 * @throws Invalid naming the field of an id that is not the organization's.
 */
export async function loadBookingFacts(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingInput,
  span: Interval = input,
): Promise<BookingFacts & { locationId: number | null }> {
  const memberIds = input.seats.flatMap((seat) => ('orgUserId' in seat ? [seat.orgUserId] : []))
  const guestIds = input.seats.flatMap((seat) => ('guestId' in seat ? [seat.guestId] : []))
  const resource = input.resourceId === null ? null : await loadResource(db, actor.organizationId, input.resourceId)
  const people =
    memberIds.length + guestIds.length > 0
      ? await loadPeople(db, actor.organizationId, { memberIds, guestIds, resourceId: input.resourceId, span })
      : { members: new Map<number, PersonRow>(), guests: new Map<number, string>() }
  const taken = await loadTaken(db, actor.organizationId, { memberIds, guestIds, resourceId: input.resourceId, span })
  const { settings, timeZoneName } = actor.organization
  return {
    now,
    zone: timeZoneName,
    actor,
    booking: { id: input.id, type: input.type, zone: input.zone, start: input.start, end: input.end },
    seats: input.seats.map((seat) => seatFacts(seat, people, taken)),
    resource: resource && { ...resource, taken: taken.filter((row) => row.resourceId === resource.id).map(asTaken) },
    settings,
    currencies: [],
    locationId: resource?.locationId ?? null,
  }
}

type LoadedResource = Omit<ResourceFacts, 'taken'> & { locationId: number }

async function loadResource(db: Db, organizationId: number, id: number): Promise<LoadedResource> {
  const row = await db
    .selectFrom('resource as x')
    .innerJoin('location as l', 'l.id', 'x.location_id')
    .select([
      'x.id',
      'x.name',
      'x.kind',
      'x.location_id',
      'l.time_zone_name',
      'x.flying_day_start_minute',
      'x.flying_day_end_minute',
      'x.grounded_by_person',
      'x.grounded_reason',
      'x.system_hold_reason',
    ])
    .where('x.organization_id', '=', organizationId)
    .where('x.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Invalid('resource.id: there is no such resource')
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    zone: row.time_zone_name,
    flyingDayStartMinute: row.flying_day_start_minute ?? null,
    flyingDayEndMinute: row.flying_day_end_minute ?? null,
    grounded: row.grounded_by_person || row.system_hold_reason !== null,
    groundedReason: row.grounded_reason ?? row.system_hold_reason ?? null,
    locationId: row.location_id,
  }
}

interface PersonRow extends Record<Role, boolean> {
  id: number
  kind: 'member' | 'guest'
  name: string
  grounded: boolean
  groundedReason: string | null
  approved: boolean
  availability: MemberFacts['availability']
  timeOff: { start: string; end: string }[]
}

interface Wanted {
  memberIds: number[]
  guestIds: number[]
  resourceId: number | null
  span: Interval
}

async function loadPeople(db: Db, organizationId: number, { memberIds, guestIds, resourceId, span }: Wanted) {
  const flags = sql.join(roles.map((role) => sql`m.${sql.ref(role)}`))
  const none = sql.join(roles.map(() => sql`false`))
  const { rows } = await sql<PersonRow>`
    select m.id, 'member' as kind, a.name, ${flags}, m.grounded, m.grounded_reason as "groundedReason",
      exists (select 1 from resource_approval p where p.organization_id = m.organization_id
        and p.membership_id = m.id and p.resource_id = ${resourceId}) as approved,
      coalesce((select json_agg(json_build_object('dayOfWeek', v.day_of_week, 'startMinute', v.start_minute,
        'endMinute', v.end_minute)) from availability v
        where v.organization_id = m.organization_id and v.membership_id = m.id), '[]') as availability,
      coalesce((select json_agg(json_build_object('start', t.starts_at, 'end', t.ends_at)) from time_off t
        where t.organization_id = m.organization_id and t.membership_id = m.id
          and t.ends_at > ${span.start} and t.starts_at < ${span.end}), '[]') as "timeOff"
    from membership m join account a on a.id = m.account_id
    where m.organization_id = ${organizationId} and m.id = any(${memberIds}) and m.removed_at is null
    union all
    select g.id, 'guest', g.name, ${none}, false, null, false, '[]'::json, '[]'::json
    from guest g where g.organization_id = ${organizationId} and g.id = any(${guestIds})`.execute(db)
  const of = (kind: PersonRow['kind']) => rows.filter((row) => row.kind === kind)
  return {
    members: new Map(of('member').map((row) => [row.id, row])),
    guests: new Map(of('guest').map((row) => [row.id, row.name])),
  }
}

interface TakenRow {
  reservationId: number
  start: Date
  end: Date
  resourceId: number | null
  memberId: number | null
  guestId: number | null
}

async function loadTaken(db: Db, organizationId: number, wanted: Wanted): Promise<TakenRow[]> {
  const { memberIds, guestIds, resourceId, span } = wanted
  const during = sql`tstzrange(${span.start}, ${span.end})`
  const { rows } = await sql<TakenRow>`
    select r.id as "reservationId", r.starts_at as start, r.ends_at as "end", r.resource_id as "resourceId",
      null::int as "memberId", null::int as "guestId"
    from reservation r
    where r.organization_id = ${organizationId} and r.resource_id = ${resourceId} and r.live
      and tstzrange(r.starts_at, r.ends_at) && ${during}
    union all
    select s.reservation_id, s.starts_at, s.ends_at, null, s.membership_id, null
    from seat s
    where s.organization_id = ${organizationId} and s.membership_id = any(${memberIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${during}
    union all
    select s.reservation_id, s.starts_at, s.ends_at, null, null, s.guest_id
    from seat s
    where s.organization_id = ${organizationId} and s.guest_id = any(${guestIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${during}`.execute(db)
  return rows
}

function asTaken({ reservationId, start, end }: TakenRow): Taken {
  return { reservationId, start, end }
}

function seatFacts(
  seat: SeatInput,
  people: { members: Map<number, PersonRow>; guests: Map<number, string> },
  taken: TakenRow[],
): SeatFacts {
  const field = `personnel.${seat.side}.${seat.index}`
  if ('orgUserId' in seat) {
    const member = people.members.get(seat.orgUserId)
    if (!member) throw new Invalid(`${field}.orgUserId: there is no such member`)
    return {
      side: seat.side,
      orgUserId: seat.orgUserId,
      guestId: null,
      name: member.name,
      member: {
        roles: roleFlags(member),
        grounded: member.grounded,
        groundedReason: member.groundedReason,
        approved: member.approved,
        availability: member.availability,
        timeOff: member.timeOff.map((one) => ({ start: new Date(one.start), end: new Date(one.end) })),
        currencyRecords: [],
        signedFlights: [],
      },
      taken: taken.filter((row) => row.memberId === seat.orgUserId).map(asTaken),
    }
  }
  if (!('guestId' in seat)) {
    return { side: seat.side, orgUserId: null, guestId: null, name: seat.name, member: null, taken: [] }
  }
  const name = people.guests.get(seat.guestId)
  if (name === undefined) throw new Invalid(`${field}.guestId: there is no such guest`)
  const own = taken.filter((row) => row.guestId === seat.guestId).map(asTaken)
  return { side: seat.side, orgUserId: null, guestId: seat.guestId, name, member: null, taken: own }
}
