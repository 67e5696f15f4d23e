import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'

/** The current numbers of requests and held aircraft of guests at a school, which the public endpoints limit. */
export interface PublicRequestCounts {
  /** Aircraft held for all guests. */
  holds: number
  /** Undecided requests of this email. */
  ofGuest: number
  /** Aircraft held for this email on this offering. */
  holdsOfGuest: number
  /** Aircraft held, at all schools, for unconfirmed requests from this network. */
  holdsOfNetwork: number
}

interface Guest {
  organizationId: number
  offeringId: number
  email: string
  networkMark: string
}

/**
 * Locks, until the commit, the public requests to an organization and those from a network: they run one at a time, so that
 * the limits are exact. Returns the current counts of requests and holds.
 */
export async function lockPublicRequests(db: Db, guest: Guest, now: Date): Promise<PublicRequestCounts> {
  const { organizationId, offeringId, email, networkMark } = guest
  await sql`select pg_advisory_xact_lock(hashtextextended(${`public requests ${organizationId}`}, 0))`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`public requests of ${networkMark}`}, 0))`.execute(db)
  const [counted] = await readRows(
    db,
    sql<PublicRequestCounts>`
      select count(*) filter (where held_until > ${now})::int as holds,
        count(*) filter (where guest_email = ${email} and starts_at > ${now}
          and (status = 'pending' or token_expires_at > ${now}))::int as "ofGuest",
        count(*) filter (where guest_email = ${email} and held_until > ${now}
          and offering_id = ${offeringId})::int as "holdsOfGuest",
        (select count(*)::int from booking_request
          where status = 'awaiting_confirmation' and created_at > ${now}::timestamptz - interval '1 hour'
            and network_mark = ${networkMark} and held_until > ${now}) as "holdsOfNetwork"
      from booking_request
      where organization_id = ${organizationId} and guest_email is not null
        and status in ('awaiting_confirmation', 'pending')`,
  )
  return counted ?? { holds: 0, ofGuest: 0, holdsOfGuest: 0, holdsOfNetwork: 0 }
}

/** Returns the id of the aircraft that is held for the request of a mailed token; null when none is held. */
export async function findHeldResource(db: Db, tokenHash: string, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom('booking_request')
    .select('resource_id')
    .where('token_hash', '=', tokenHash)
    .where('held_until', '>', now)
    .executeTakeFirst()
  return row?.resource_id ?? null
}
