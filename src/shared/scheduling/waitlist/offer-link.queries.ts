import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import type { OfferStatus } from './waitlist.states.ts'

/** What the page of a mailed link shows of its offer. */
export interface LinkedOffer {
  id: number
  organizationId: number
  orgUserId: number
  status: OfferStatus
  expiresAt: Date
  personName: string
  instructorName: string | null
  resourceName: string | null
  start: Date
  end: Date
  zone: string
  estimatedCents: Cents | null
  settings: unknown
}

/**
 * Returns the offer of a mailed link. A link ends with its offer, unless that was accepted, with the membership, and when the
 * person sets a new password or address.
 */
export async function findOfferOfLink(db: Db, tokenHash: string): Promise<LinkedOffer> {
  const { rows } = await sql<LinkedOffer>`
    select f.id, f.organization_id as "organizationId", f.membership_id as "orgUserId", f.status,
      f.expires_at as "expiresAt", m.search_name as "personName", i.search_name as "instructorName",
      x.name as "resourceName", f.starts_at as start, f.ends_at as "end",
      coalesce(l.time_zone_name, o.time_zone_name) as zone, f.estimated_cents as "estimatedCents", o.settings
    from offer f
    join organization o on o.id = f.organization_id
    join membership m on m.organization_id = f.organization_id and m.id = f.membership_id and m.removed_at is null
    left join account a on a.id = m.account_id
    left join membership i on i.organization_id = f.organization_id and i.id = f.instructor_id
    left join resource x on x.organization_id = f.organization_id and x.id = f.resource_id
    left join location l on l.organization_id = f.organization_id and l.id = x.location_id
    where f.token_hash = ${tokenHash} and (a.id is null or a.tokens_valid_from <= f.made_at
      and (o.demo or a.email_verified_at <= f.made_at))`.execute(db)
  const [row] = rows
  if (!row) throw waitlistErrors.linkUnknown()
  return row
}
