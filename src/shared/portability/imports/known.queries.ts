import { sql } from 'kysely'
import { roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'

/** Returns the locations of an organization as an import compares them, oldest first. */
export function findKnownLocations(db: Db, organizationId: number) {
  return db
    .selectFrom('location')
    .select(['id', 'name', 'external_id as externalId', 'airport_identifier as airportIdentifier', 'address'])
    .select('time_zone_name as timeZoneName')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

/** Returns the resources that have one of the external ids, tail numbers (as `nameKey` writes them) or names, oldest first. */
export function findKnownResources(db: Db, organizationId: number, names: readonly string[]) {
  const among = sql`any(${names}::text[])`
  return db
    .selectFrom('resource')
    .select(['id', 'name', 'external_id as externalId', 'kind', 'tail_number as tailNumber', 'make', 'model'])
    .select(['location_id as locationId', 'hobbs_hundredths as hobbsTime', 'tach_hundredths as tachTime'])
    .select(['wet_rate_cents as wetRateCents', 'dry_rate_cents as dryRateCents'])
    .select(['bill_by_hobbs_time as billByHobbsTime', 'grounded_by_person as groundedByPerson'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(lower(external_id) = ${among} or lower(tail_number) = ${among} or lower(name) = ${among})`)
    .orderBy('id')
    .execute()
}

/** Returns the currencies of an organization as an import compares them, oldest first. */
export function findKnownCurrencies(db: Db, organizationId: number) {
  return db
    .selectFrom('currency_rule')
    .select(['id', 'name', 'kind', 'enforcement', 'roles', 'reservation_types as reservationTypes'])
    .select(['warn_days as warnDays', 'flight_count as count', 'flight_days as days'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

/** The names by which an import finds members, in lower case. */
interface MemberNames {
  externalIds: readonly string[]
  emails: readonly string[]
  /** Of those who have neither. */
  names: readonly string[]
}

/** Returns the members that have one of the external ids, addresses or names, with their profiles, oldest first. */
export function findKnownMembers(db: Db, organizationId: number, { externalIds, emails, names }: MemberNames) {
  return db
    .selectFrom('membership as m')
    .leftJoin('member_profile as p', (join) =>
      join.onRef('p.organization_id', '=', 'm.organization_id').onRef('p.membership_id', '=', 'm.id'),
    )
    .select(['m.id', 'm.search_name as name', 'm.search_email as email', 'm.phone', 'm.external_id as externalId'])
    .select(roles.map((role) => `m.${role}` as const))
    .select([sql<boolean>`m.account_id is not null`.as('hasAccount'), sql<object>`coalesce(p.facts, '{}')`.as('facts')])
    .where('m.organization_id', '=', organizationId)
    .where('m.removed_at', 'is', null)
    .where(
      sql<boolean>`(lower(m.external_id) = any(${externalIds}::text[]) or m.search_email = any(${emails}::text[])
        or lower(m.search_name) = any(${names}::text[]))`,
    )
    .orderBy('m.id')
    .execute()
}
