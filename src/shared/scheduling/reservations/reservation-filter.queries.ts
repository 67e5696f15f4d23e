import { type RawBuilder, sql } from 'kysely'
import type { ReservationType, Side } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneOf, oneOfWords } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { ReservationStatus } from './lifecycle.states.ts'
import { overlaps, type ReservationWindow, seatsWithin } from './reservation-window.queries.ts'

interface Seated {
  organizationId: number
  orgUserIds: number[]
  /** Absent: any side. */
  side?: Side
}

/** Selects bookings that overlap a window and match all further conditions that are set. */
export interface ReservationFilter extends ReservationWindow {
  resourceIds?: number[] | undefined
  locationIds?: number[] | undefined
  /** Only bookings on which each entry has a seat. */
  seated?: readonly Seated[] | undefined
  types?: readonly ReservationType[] | undefined
  /** `cancelled` includes cancelled bookings whatever `includeCancelled` is. */
  statuses?: readonly ReservationStatus[] | undefined
  includeCancelled?: boolean
  /** False excludes bookings in progress. */
  ongoing?: boolean
  uninvoiced?: boolean
  endedBefore?: Date | undefined
  /** The instant itself is included. */
  endedAfter?: Date | undefined
}

/**
 * Returns the SQL condition of a filter on bookings `r`. A booking matches the window when it overlaps it, so it may start
 * before the window. Implements interface §Reservations.
 */
export function reservationCondition(filter: ReservationFilter, now: Date): RawBuilder<unknown> {
  const all = [overlaps(filter)]
  if (!filter.includeCancelled && !filter.statuses?.includes('cancelled')) all.push(sql`r.live`)
  if (filter.resourceIds) all.push(oneOf(sql`r.resource_id`, filter.resourceIds))
  for (const seated of filter.seated ?? []) all.push(seatedCondition(seated, filter))
  if (filter.types) all.push(oneOfWords(sql`r.type`, filter.types))
  if (filter.statuses) all.push(oneOfWords(storedStatus, filter.statuses))
  if (filter.locationIds) all.push(oneOf(sql`r.location_id`, filter.locationIds))
  if (filter.ongoing === false) all.push(sql`not (r.starts_at <= ${now} and r.ends_at > ${now})`)
  if (filter.endedBefore) all.push(sql`r.ends_at < ${filter.endedBefore}`)
  if (filter.endedAfter) all.push(sql`r.ends_at >= ${filter.endedAfter}`)
  if (filter.uninvoiced) all.push(sql`not r.billed`)
  return sql.join(all, sql` and `)
}

/**
 * The status of a booking (`statusOf`) in SQL. It must stay equal to the expression of its index, so that PostgreSQL uses the
 * index.
 */
const storedStatus = sql`(case when r.cancelled_at is not null then 'cancelled'
  when r.signed_off_at is not null then case when r.billed then 'invoiced' else 'signed_off' end
  when r.ramped_in_at is not null or (r.ramped_out_at is null and r.briefing_tenths is not null) then 'ramped_in'
  when r.ramped_out_at is not null then 'ramped_out' else 'booked' end)`

/**
 * Returns the SQL condition that these members have a seat. Reads the seats first, by their own index, because a member has
 * few of an organization's bookings.
 */
function seatedCondition(
  { organizationId, orgUserIds, side }: Seated,
  { start, end }: Pick<ReservationFilter, 'start' | 'end'> = {},
): RawBuilder<unknown> {
  const onSide = side ? sql`s.side = ${side}` : sql`true`
  return sql`r.id = any(array(select s.reservation_id from seat s where s.organization_id = ${organizationId}
    and s.membership_id = any(${orgUserIds}) and ${onSide} and ${seatsWithin({ start, end })}))`
}

/**
 * Returns the SQL condition on bookings `r` that the reader may read: all for staff, otherwise those that the reader made or
 * is seated on. Implements interface §Reservations.
 */
export function readableBy(reader: Actor): RawBuilder<unknown> {
  if (is(reader, staff)) return sql`true`
  const { organizationId, orgUserId } = reader
  return sql`(r.created_by = ${orgUserId} or r.id in (select s.reservation_id from seat s
    where s.organization_id = ${organizationId} and s.membership_id = ${orgUserId}))`
}

/**
 * Returns the orgUserIds of a user in an organization. Ended memberships are included, because past bookings keep their
 * orgUserId.
 */
export async function findMembershipsOf(db: Db, organizationId: number, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', userId)
    .execute()
  if (rows.length === 0) throw platformErrors.noSuchRecord()
  return rows.map(({ id }) => id)
}
