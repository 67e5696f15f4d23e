import { type RawBuilder, sql } from 'kysely'

/** Bookings `r` without meters: they can be signed, and have records, from their end on. */
export const withoutMeters: RawBuilder<boolean> = sql`(r.type = 'ground' or r.type = 'sim' and r.resource_id is null)`

/** Since when a booking `r` waits for its signatures. */
export const closedOutSince: RawBuilder<Date> = sql`coalesce(r.signatures_cleared_at, r.ramped_in_at, r.ends_at)`

/** Returns whether a booking `r` is flown or taught: ramped in or, without meters, past its end. */
export function isOver(now: Date): RawBuilder<boolean> {
  return sql`(r.ramped_in_at is not null or ${withoutMeters} and r.ends_at <= ${now})`
}

/**
 * Whether the side of a seat `s` on a booking `r` still has to sign: the rule `sidesOutstanding` in SQL. With an
 * instructor on board only some types need the other side's signature.
 */
export const isToSign: RawBuilder<boolean> = sql`(
  (s.side = 'instructors' or r.type in ('dual', 'ground', 'sim', 'rental') or not ${seatedOn('instructors')})
  and not exists (select from confirmation sc where sc.organization_id = r.organization_id and sc.reservation_id = r.id
    and sc.side = s.side))`

/** Returns whether somebody sits on a side of a booking `r`. */
export function seatedOn(side: 'instructors' | 'students'): RawBuilder<boolean> {
  return sql`exists (select from seat ss where ss.organization_id = r.organization_id and ss.reservation_id = r.id
    and ss.side = ${sql.lit(side)})`
}
