import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns a member with an account and a managed member with the same address, by id and name; null when there is no
 * such pair.
 */
export async function findNamesake(db: Db, organizationId: number, orgUserId: number) {
  const row = await db
    .selectFrom('membership as m')
    .innerJoin('membership as managed', (join) =>
      join
        .onRef('managed.organization_id', '=', 'm.organization_id')
        .onRef('managed.search_email', '=', 'm.search_email')
        .on('managed.account_id', 'is', null)
        .on('managed.removed_at', 'is', null),
    )
    .select(['m.id', 'm.search_name as name', 'managed.id as managedId', 'managed.search_name as managedName'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', orgUserId)
    .where('m.account_id', 'is not', null)
    .where('m.search_email', '<>', '')
    .where('m.removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the id and name of a present member with an account; null when there is no such member. */
export async function findNameOfMember(db: Db, organizationId: number, orgUserId: number) {
  const row = await db
    .selectFrom('membership')
    .select(['id', 'search_name as name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('account_id', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the latest merge into a present member: both members, and in `waits` whether the merged one still has records
 * (profile, document, endorsement, currency record or enrollment). Null when nobody was merged into the member.
 */
export async function findLatestMerge(db: Db, organizationId: number, orgUserId: number) {
  const row = await db
    .selectFrom('membership as s')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 's.organization_id').onRef('m.id', '=', 's.merged_into'),
    )
    .select(['m.id', 'm.search_name as name', 's.id as fromId', 's.search_name as from'])
    .select(
      sql<boolean>`exists (select from member_profile p where p.organization_id = s.organization_id and p.membership_id = s.id)
        or exists (select from document d where d.organization_id = s.organization_id and d.membership_id = s.id)
        or exists (select from endorsement e where e.organization_id = s.organization_id and e.membership_id = s.id)
        or exists (select from currency_record c where c.organization_id = s.organization_id and c.membership_id = s.id)
        or exists (select from enrollment e where e.organization_id = s.organization_id and e.membership_id = s.id)`.as(
        'waits',
      ),
    )
    .where('s.organization_id', '=', organizationId)
    .where('s.merged_into', '=', orgUserId)
    .where('m.removed_at', 'is', null)
    .orderBy('s.merged_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the email address of a present member's account, and whether it is verified; null when the member has no
 * account.
 */
export async function findAccountOfMember(db: Db, organizationId: number, orgUserId: number) {
  const row = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select(['account.email', 'account.email_verified_at'])
    .where('membership.organization_id', '=', organizationId)
    .where('membership.id', '=', orgUserId)
    .where('membership.removed_at', 'is', null)
    .executeTakeFirst()
  return row ? { email: row.email, verified: row.email_verified_at !== null } : null
}

/** Returns the email address of a present member; null when the member has none or has left. */
export async function findAddressOf(db: Db, organizationId: number, orgUserId: number): Promise<string | null> {
  const row = await db
    .selectFrom('membership')
    .select('search_email')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row?.search_email || null
}

/**
 * Returns whether a present member other than `exceptId` has one of the email addresses (`address`), or else one of the
 * external ids (`key`); null when nobody has.
 */
export async function findHeld(
  db: Db,
  organizationId: number,
  { emails, keys, exceptId }: { emails: readonly string[]; keys: readonly string[]; exceptId: number },
): Promise<'address' | 'key' | null> {
  if (emails.length === 0 && keys.length === 0) return null
  const hasAddress = sql<boolean>`(search_email <> '' and search_email = any(${emails}::text[]))`
  const row = await db
    .selectFrom('membership')
    .select(hasAddress.as('hasAddress'))
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('id', '<>', exceptId)
    .where(sql<boolean>`(${hasAddress} or external_id = any(${keys}::text[]))`)
    .orderBy('hasAddress', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  return row.hasAddress ? 'address' : 'key'
}
