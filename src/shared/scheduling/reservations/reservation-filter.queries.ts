import { type RawBuilder, sql } from 'kysely'
import type { ReservationType, Side } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { ReservationStatus } from './lifecycle.states.ts'
import { overlaps, type ReservationWindow, seatsWithin } from './reservation-window.queries.ts'

interface Seated {
  organizationId: number
  orgUserIds: number[]
  /** Absent: any side. */
  side?: Side
}

/** The filter of a list of bookings: those that overlap a window, and further conditions. */
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
}

/**
 * Returns the condition of a list over `r`. The window is an overlap test, so a flight that is still out matches.
 * Implements interface §Reservations.
 */
export function reservationCondition(filter: ReservationFilter, now: Date): RawBuilder<unknown> {
  const all = [overlaps(filter)]
  if (!filter.includeCancelled && !filter.statuses?.includes('cancelled')) all.push(sql`r.live`)
  if (filter.resourceIds) all.push(sql`r.resource_id = any(${filter.resourceIds})`)
  for (const seated of filter.seated ?? []) all.push(seatedCondition(seated, filter))
  if (filter.types) all.push(oneOf(sql`r.type`, filter.types))
  if (filter.statuses) all.push(oneOf(storedStatus, filter.statuses))
  if (filter.locationIds) all.push(sql`r.location_id = any(${filter.locationIds})`)
  if (filter.ongoing === false) all.push(sql`not (r.starts_at <= ${now} and r.ends_at > ${now})`)
  if (filter.endedBefore) all.push(sql`r.ends_at < ${filter.endedBefore}`)
  if (filter.uninvoiced) all.push(sql`not r.billed`)
  return sql.join(all, sql` and `)
}

/** `statusOf` of the lifecycle in SQL, in the words of its index. */
const storedStatus = sql`(case when r.cancelled_at is not null then 'cancelled'
  when r.signed_off_at is not null then case when r.billed then 'invoiced' else 'signed_off' end
  when r.ramped_in_at is not null or (r.ramped_out_at is null and r.briefing_tenths is not null) then 'ramped_in'
  when r.ramped_out_at is not null then 'ramped_out' else 'booked' end)`

/** Reads the seats first, once and by their own index: a member has few of an organization's bookings. */
function seatedCondition(
  { organizationId, orgUserIds, side }: Seated,
  { start, end }: Pick<ReservationFilter, 'start' | 'end'> = {},
): RawBuilder<unknown> {
  const onSide = side ? sql`s.side = ${side}` : sql`true`
  return sql`r.id = any(array(select s.reservation_id from seat s where s.organization_id = ${organizationId}
    and s.membership_id = any(${orgUserIds}) and ${onSide} and ${seatsWithin({ start, end })}))`
}

/**
 * Returns the condition of the bookings whose booking party includes the reader. Implements interface §Reservations.
 */
export function readableBy(reader: Actor): RawBuilder<unknown> {
  if (is(reader, staff)) return sql`true`
  const { organizationId, orgUserId } = reader
  return sql`(r.created_by = ${orgUserId} or r.id in (select s.reservation_id from seat s
    where s.organization_id = ${organizationId} and s.membership_id = ${orgUserId}))`
}

/**
 * Returns the orgUserIds of a user in an organization, ended memberships included: past bookings keep their orgUserId.
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
