import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** The condition that a booking `r` has no meters. Such a booking can be signed, and can have training records, from its end on. */
export const withoutMeters: RawBuilder<boolean> = sql`(r.type = 'ground' or r.type = 'sim' and r.resource_id is null)`

/**
 * The instant since which a booking `r` waits for its signatures: when they were cleared, else the ramp-in, else the
 * end.
 */
export const closedOutSince: RawBuilder<Date> = sql`coalesce(r.signatures_cleared_at, r.ramped_in_at, r.ends_at)`

/** Returns the condition that a booking `r` is over: ramped in, or past its end when it has no meters. */
export function isOver(now: Date): RawBuilder<boolean> {
  return sql`(r.ramped_in_at is not null or ${withoutMeters} and r.ends_at <= ${now})`
}

/**
 * The condition that the side of a seat `s` on a booking `r` must still sign; the SQL form of `sidesOutstanding`. With an instructor on
 * board, only some types need the signature of the other side. When every payer must sign (`payers_sign`), each seat needs its own
 * signature. Implements interface §Reservations rule 9.
 */
export const isToSign: RawBuilder<boolean> = sql`(
  (s.side = 'instructors' or r.type in ('dual', 'ground', 'sim', 'rental') or not ${seatedOn('instructors')})
  and not exists (select from confirmation sc where sc.organization_id = r.organization_id and sc.reservation_id = r.id
    and sc.side = s.side and (not r.payers_sign or sc.membership_id = s.membership_id)))`

/** Returns the condition that a side of a booking `r` has a person. */
export function seatedOn(side: 'instructors' | 'students'): RawBuilder<boolean> {
  return sql`exists (select from seat ss where ss.organization_id = r.organization_id and ss.reservation_id = r.id
    and ss.side = ${sql.lit(side)})`
}

/** Returns the member for whom the desk signed, as stored in this event; null when the event has no such member. */
export async function findSignedFor(
  db: Db,
  organizationId: number,
  eventId: string | undefined,
): Promise<number | null> {
  if (eventId === undefined) return null
  const event = await db
    .selectFrom('event')
    .select(sql<number | null>`(after ->> 'onBehalfOf')::int`.as('signedFor'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', eventId)
    .executeTakeFirst()
  return event?.signedFor ?? null
}
