import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { BusyTime } from './booking-facts.types.ts'

/** The resources, people and interval whose busy times are loaded. */
export interface Wanted {
  resourceIds: readonly number[]
  memberIds: readonly number[]
  guestIds: readonly number[]
  span: Interval
  /** Slot holds that expire after this instant count. */
  now: Date
  /** The booking request that is being decided; its own slot hold is ignored. */
  exceptRequestId?: number | undefined
}

/** Busy times of resources, members and guests by their ids, in order of time: live bookings and slot holds. */
export interface BusyTimesOf {
  resources: Map<number, BusyTime[]>
  members: Map<number, BusyTime[]>
  guests: Map<number, BusyTime[]>
}

interface TakenRow extends BusyTime {
  of: keyof BusyTimesOf
  id: number
}

/** Loads the busy times within an interval, in one query. */
export async function loadBusyTimes(db: Db, organizationId: number, wanted: Wanted): Promise<BusyTimesOf> {
  const { memberIds, guestIds, resourceIds, span, now, exceptRequestId = null } = wanted
  const during = sql`tstzrange(${span.start}, ${span.end})`
  const { rows } = await sql<TakenRow>`
    select 'resources' as of, r.resource_id as id, r.id as "reservationId", r.starts_at as start, r.ends_at as "end"
    from reservation r
    where r.organization_id = ${organizationId} and r.resource_id = any(${resourceIds}) and r.live
      and tstzrange(r.starts_at, r.ends_at) && ${during}
    union all
    select 'resources', b.resource_id, null, b.starts_at, b.ends_at
    from booking_request b
    where b.organization_id = ${organizationId} and b.resource_id = any(${resourceIds}) and b.held_until > ${now}
      and b.status in ('awaiting_confirmation', 'pending') and b.id is distinct from ${exceptRequestId}::int
      and tstzrange(b.starts_at, b.ends_at) && ${during}
    union all
    select 'members', s.membership_id, s.reservation_id, s.starts_at, s.ends_at
    from seat s
    where s.organization_id = ${organizationId} and s.membership_id = any(${memberIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${during}
    union all
    select 'guests', s.guest_id, s.reservation_id, s.starts_at, s.ends_at
    from seat s
    where s.organization_id = ${organizationId} and s.guest_id = any(${guestIds}) and s.live
      and tstzrange(s.starts_at, s.ends_at) && ${during}
    order by start`.execute(db)
  const taken: BusyTimesOf = { resources: new Map(), members: new Map(), guests: new Map() }
  for (const { of, id, reservationId, start, end } of rows) {
    const known = taken[of].get(id)
    if (known) known.push({ reservationId, start, end })
    else taken[of].set(id, [{ reservationId, start, end }])
  }
  return taken
}
