import { sql } from 'kysely'
import { roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { TAIL_MARKS } from './match.rules.ts'

/** Returns the locations of an organization with the fields that an import compares, oldest first. */
export function findKnownLocations(db: Db, organizationId: number) {
  return db
    .selectFrom('location')
    .select(['id', 'name', 'external_id as externalId', 'airport_identifier as airportIdentifier', 'address'])
    .select('time_zone_name as timeZoneName')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

/**
 * Returns the resources whose external id, name (both as `nameKey` returns them) or tail number (as `tailKey` returns
 * it) is one of `names`, oldest first.
 */
export function findKnownResources(db: Db, organizationId: number, names: readonly string[]) {
  const among = sql`any(${names}::text[])`
  return db
    .selectFrom('resource')
    .select(['id', 'name', 'external_id as externalId', 'kind', 'tail_number as tailNumber', 'make', 'model'])
    .select(['location_id as locationId', 'hobbs_hundredths as hobbsTime', 'tach_hundredths as tachTime'])
    .select(['wet_rate_cents as wetRateCents', 'dry_rate_cents as dryRateCents'])
    .select(['bill_by_hobbs_time as billByHobbsTime', 'grounded_by_person as groundedByPerson', 'pool'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(lower(external_id) = ${among} or translate(lower(tail_number), ${TAIL_MARKS}, '') = ${among}
      or lower(name) = ${among})`)
    .orderBy('id')
    .execute()
}

/** Returns the currencies of an organization with the fields that an import compares, oldest first. */
export function findKnownCurrencies(db: Db, organizationId: number) {
  return db
    .selectFrom('currency')
    .select(['id', 'name', 'kind', 'enforcement', 'roles', 'reservation_types as reservationTypes'])
    .select(['warn_days as warnDays', 'flight_count as count', 'flight_days as days', 'deci_hours as deciHours'])
    .select('scope_of_hours as scope')
    .select('valid_calendar_months as validCalendarMonths')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

/** The names by which an import finds members, in lower case. */
interface MemberNames {
  externalIds: readonly string[]
  emails: readonly string[]
  /** The names of rows that have neither. */
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
    .select(['m.tax_exempt as taxExempt', 'm.flight_pay_cents as flightPayCents'])
    .select(['m.ground_pay_cents as groundPayCents', 'm.sim_pay_cents as simPayCents', 'm.bill_to_id as billToId'])
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

/** Returns the members whose external id, address or name (as `nameKey` returns them) is one of `keys`. */
export function findMembersNamed(db: Db, organizationId: number, keys: readonly string[]) {
  const among = sql`any(${keys}::text[])`
  return db
    .selectFrom('membership')
    .select(['id', 'search_name as name', 'search_email as email', 'external_id as externalId'])
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`(lower(external_id) = ${among} or search_email = ${among} or lower(search_name) = ${among})`)
    .orderBy('id')
    .execute()
}

/** Returns the approvals of members. */
export function findKnownApprovals(db: Db, organizationId: number, memberIds: readonly number[]) {
  return db
    .selectFrom('resource_approval')
    .select(['id', 'membership_id as memberId', 'resource_id as resourceId', 'make', 'model'])
    .select('expires_at as expiresAt')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', sql<number>`any(${memberIds}::int[])`)
    .execute()
}

/** Returns the recorded dates of members' currencies. */
export function findKnownCurrencyRecords(db: Db, organizationId: number, memberIds: readonly number[]) {
  return db
    .selectFrom('currency_record')
    .select(['id', 'membership_id as memberId', 'currency_id as currencyId', 'completed_at as completedAt'])
    .select(['expires_at as expiresAt', 'medical_class as class', 'course_at as courseAt'])
    .select(sql<string | null>`ended_on::text`.as('endedOn'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', sql<number>`any(${memberIds}::int[])`)
    .execute()
}

/** Returns the opening balances of members: adjustments with a memo that begins with `memo`, without reversed ones. */
export function findOpeningBalances(db: Db, organizationId: number, memberIds: readonly number[], memo: string) {
  return db
    .selectFrom('ledger_entry as e')
    .select(['e.id', 'e.membership_id as memberId', 'e.amount_cents as amountCents'])
    .where('e.organization_id', '=', organizationId)
    .where('e.membership_id', '=', sql<number>`any(${memberIds}::int[])`)
    .where('e.kind', '=', 'adjustment')
    .where(sql<boolean>`starts_with(e.memo, ${memo})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_entry as v')
            .select('v.id')
            .whereRef('v.organization_id', '=', 'e.organization_id')
            .whereRef('v.reverses_id', '=', 'e.id'),
        ),
      ),
    )
    .execute()
}
