import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { BusyTime, CallerBooking, ClosureFacts } from './booking-facts.types.ts'
import { trainingFlights } from './duty.rules.ts'
import type { OfferFacts } from './offer-facts.types.ts'

/** The resources, people and interval whose busy times are loaded. */
export interface Wanted {
  resourceIds: readonly number[]
  memberIds: readonly number[]
  guestIds: readonly number[]
  span: Interval
  /** Slot holds that end after this instant count. */
  now: Date
  /** The booking request that is being decided; its own slot hold is ignored. */
  exceptRequestId?: number | undefined
  /** The offer that is being accepted. */
  exceptOfferId?: number | undefined
  /** Whether open offers to the caller count as bookings of the caller. */
  countsOffers?: boolean | undefined
  /** Whether the flight training that the members give is loaded. */
  training: boolean
  /** The caller, whose own bookings are loaded. */
  callerId: number
}

/** Busy times of resources, members and guests by their ids, by start: live bookings and slot holds. */
export interface BusyTimesOf {
  resources: Map<number, BusyTime[]>
  members: Map<number, BusyTime[]>
  guests: Map<number, BusyTime[]>
  /** The flight training that members give as instructors: by the Hobbs for flown bookings, otherwise as booked. */
  training: Map<number, BusyTime[]>
  /**
   * The bookings on which the caller is seated, except maintenance: those that are not over, and those that start in
   * the weeks of the interval.
   */
  caller: CallerBooking[]
  /** The closures that overlap the interval. */
  closures: ClosureFacts[]
  /** The open offers that overlap the interval. */
  offers: OfferFacts[]
}

interface TakenRow extends Omit<CallerBooking, 'unconfirmedRequestId'> {
  of: keyof BusyTimesOf
  id: number
  unconfirmedRequestId: number | null
  /** For a closure: its reason and place. */
  closed: Omit<ClosureFacts, 'start' | 'end'> | null
  /** For an offer: its person, resource and instructor, and how long it holds its place. */
  offered: (Omit<OfferFacts, 'id' | 'start' | 'end' | 'holdsUntil'> & { holdsUntil: string }) | null
}

/** From this number of people, seats are read through the bookings of the interval instead of person by person. */
const MANY_PEOPLE = 50

/** Returns the busy times within an interval, in one query. */
export async function loadBusyTimes(db: Db, organizationId: number, wanted: Wanted): Promise<BusyTimesOf> {
  const { memberIds, guestIds, resourceIds, span, now, exceptRequestId = null, exceptOfferId = null } = wanted
  const { callerId, training, countsOffers = false } = wanted
  const during = sql`tstzrange(${span.start}, ${span.end})`
  const trained = sql`tstzrange(${span.start}::timestamptz - interval '2 days', ${span.end}::timestamptz + interval '1 day')`
  const seated = (within: RawBuilder<unknown>) => {
    const each = sql`s.organization_id = ${organizationId} and s.membership_id = any(${memberIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${within}`
    if (memberIds.length < MANY_PEOPLE) return each
    return sql`${each} and s.reservation_id = any(array(select r.id from reservation r
      where r.organization_id = ${organizationId} and r.live and tstzrange(r.starts_at, r.ends_at) && ${within}))`
  }
  const { rows } = await sql<TakenRow>`
    select taken.*, null as closed, null::json as offered from (
    select 'resources' as of, r.resource_id as id, r.id as "reservationId", r.starts_at as start, r.ends_at as "end",
      false as open, null::int as "unconfirmedRequestId"
    from reservation r
    where r.organization_id = ${organizationId} and r.resource_id = any(${resourceIds}) and r.live
      and tstzrange(r.starts_at, r.ends_at) && ${during}
    union all
    select 'resources', b.resource_id, null, b.starts_at, b.ends_at, false,
      case when b.status = 'awaiting_confirmation' then b.id end
    from booking_request b
    where b.organization_id = ${organizationId} and b.resource_id = any(${resourceIds}) and b.held_until > ${now}
      and b.status in ('awaiting_confirmation', 'pending') and b.id is distinct from ${exceptRequestId}::int
      and tstzrange(b.starts_at, b.ends_at) && ${during}
    union all
    select 'members', s.membership_id, s.reservation_id, s.starts_at, s.ends_at, false, null
    from seat s where ${seated(during)}
    union all
    select 'guests', s.guest_id, s.reservation_id, s.starts_at, s.ends_at, false, null
    from seat s
    where s.organization_id = ${organizationId} and s.guest_id = any(${guestIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${during}
    union all
    select 'caller', s.membership_id, s.reservation_id, s.starts_at, s.ends_at, s.ends_at > ${now}, null
    from seat s
    where s.organization_id = ${organizationId} and s.membership_id = ${callerId} and s.live
      and tstzrange(s.starts_at, s.ends_at) && tstzrange(
        least(${now}::timestamptz, ${span.start}::timestamptz - interval '8 days'), null)
    union all
    select 'caller', f.membership_id, null, f.starts_at, f.ends_at, true, null
    from offer f
    where ${countsOffers} and f.organization_id = ${organizationId} and f.membership_id = ${callerId}
      and f.status = 'open'
    union all
    select 'training', s.membership_id, s.reservation_id, s.starts_at,
      coalesce(s.starts_at + (r.hobbs_in - r.hobbs_out) * interval '36 seconds', s.ends_at), false, null
    from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    where ${training} and ${seated(trained)} and s.side = 'instructors' and r.type = any(${trainingFlights})
    ) taken
    union all
    select 'closures', c.id, null, c.starts_at, c.ends_at, false, null,
      json_build_object('reason', c.reason, 'locationId', c.location_id, 'resourceId', c.resource_id), null
    from closure c
    where c.organization_id = ${organizationId} and c.starts_at < ${span.end} and c.ends_at > ${span.start}
    union all
    select 'offers', f.id, null, f.starts_at, f.ends_at, false, null, null,
      json_build_object('orgUserId', f.membership_id, 'resourceId', f.resource_id, 'instructorId', f.instructor_id,
        'holdsUntil', f.holds_until)
    from offer f
    where f.organization_id = ${organizationId} and f.status = 'open' and f.id is distinct from ${exceptOfferId}::int
      and f.starts_at < ${span.end} and f.ends_at > ${span.start}
    order by start`.execute(db)
  const taken: BusyTimesOf = {
    resources: new Map(),
    members: new Map(),
    guests: new Map(),
    training: new Map(),
    caller: [],
    closures: [],
    offers: [],
  }
  for (const { of, id, reservationId, start, end, open, closed, offered, unconfirmedRequestId } of rows) {
    if (of === 'offers') {
      taken.offers.push({ ...offered!, id, start, end, holdsUntil: new Date(offered!.holdsUntil) })
      continue
    }
    if (of === 'closures') {
      taken.closures.push({ ...closed!, start, end })
      continue
    }
    if (of === 'caller') {
      taken.caller.push({ reservationId, start, end, open })
      continue
    }
    const busy = { reservationId, start, end, ...(unconfirmedRequestId !== null && { unconfirmedRequestId }) }
    const known = taken[of].get(id)
    if (known) known.push(busy)
    else taken[of].set(id, [busy])
  }
  return taken
}
