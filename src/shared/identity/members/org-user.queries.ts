import { type RawBuilder, sql } from 'kysely'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins, deskStaff, type Role, roles, staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing, oneOf } from '../../platform/db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { textConditions } from '../../platform/db/text-condition.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/**
 * Filters members. `roles`: has any of them. `groupIds`: is in one of the groups. `q`: name or address contains it. `among`: an
 * SQL condition on `membership`.
 */
export interface OrgUserFilter {
  q?: string | undefined
  roles?: Role[] | undefined
  groupIds?: readonly number[] | undefined
  among?: RawBuilder<boolean> | undefined
  /** Former members instead of the present ones. */
  removed?: boolean
}

const billToName = sql<
  string | null
>`case when membership.bill_to_id is not null then (select b.search_name from membership b
  where b.organization_id = membership.organization_id and b.id = membership.bill_to_id) end`

/** Selects the present members of an organization, or with `removed` its former members, sorted by name. */
export function selectOrgUsers(db: Db, organizationId: number, removed = false) {
  return db
    .selectFrom('membership')
    .selectAll('membership')
    .select(['membership.search_name as name', 'membership.search_email as email'])
    .select(billToName.as('bill_to_name'))
    .where('membership.organization_id', '=', organizationId)
    .where('membership.removed_at', removed ? 'is not' : 'is', null)
    .orderBy('membership.search_name')
    .orderBy('membership.id')
}

export type OrgUserRow = Awaited<ReturnType<ReturnType<typeof selectOrgUsers>['execute']>>[number]

/**
 * Returns the sort keys of a list of members. A value that the reader may not see, such as a rate, a grounding reason
 * or a managed member's contact, sorts as null.
 */
export function orgUserSortKeys(reader: Actor): SortKeys {
  const shown = (to: readonly Role[], column: string) =>
    sql`case when ${is(reader, to)} or membership.id = ${reader.orgUserId} then ${sql.ref(column)} end`
  const contact = (column: string) =>
    sql`case when ${is(reader, staff)} or membership.account_id is not null then ${sql.ref(column)} end`
  const billTo = (value: RawBuilder<unknown>) =>
    sql`case when ${is(reader, admins)} or ${reader.orgUserId} in (membership.id, membership.bill_to_id) then ${value} end`
  const consent = (column: string) =>
    sql`case when membership.bill_to_accepted_at is not null
      and (${is(reader, admins)} or membership.bill_to_id = ${reader.orgUserId}) then ${sql.ref(column)} end`
  return {
    id: byValue('membership.id'),
    'user.id': byValue('membership.account_id'),
    'user.name': byText('membership.search_name'),
    'user.email': byText(contact('membership.search_email')),
    'user.phone': byText(contact('membership.phone')),
    ...Object.fromEntries(roles.map((role) => [role, byValue(`membership.${role}`)])),
    billingMode: byText('membership.billing_mode'),
    'instructionRates.flight': shown(admins, 'membership.flight_rate_cents'),
    'instructionRates.ground': shown(admins, 'membership.ground_rate_cents'),
    'instructionRates.sim': shown(admins, 'membership.sim_rate_cents'),
    taxExempt: shown(admins, 'membership.tax_exempt'),
    'payRates.flight': shown(admins, 'membership.flight_pay_cents'),
    'payRates.ground': shown(admins, 'membership.ground_pay_cents'),
    'payRates.sim': shown(admins, 'membership.sim_pay_cents'),
    'billTo.orgUserId': billTo(sql`membership.bill_to_id`),
    'billTo.name': byText(billTo(billToName)),
    'billTo.acceptedAt': billTo(sql`membership.bill_to_accepted_at`),
    'billTo.consent.ledger': consent('membership.bill_to_ledger'),
    'billTo.consent.autopay': consent('membership.bill_to_autopay'),
    'billTo.consent.maxCentsPerMonth': consent('membership.bill_to_max_cents'),
    autopay: shown(admins, 'membership.autopay'),
    autopayMaxCents: shown(admins, 'membership.autopay_max_cents'),
    grounded: byValue('membership.grounded'),
    groundedReason: byText(shown(deskStaff, 'membership.grounded_reason')),
    groundedFor: byText(shown(deskStaff, 'membership.grounded_for')),
    managed: sql`membership.account_id is null`,
    externalId: sql`case when ${is(reader, admins)} then nullif(membership.external_id, '') collate natural_order end`,
    joinedAt: byValue('membership.created_at'),
    createdAt: byValue('membership.created_at'),
    updatedAt: byValue('membership.updated_at'),
  }
}

/** Lists members of the reader's organization, sorted by name. */
export async function listOrgUsers(db: Db, reader: Actor, filter: OrgUserFilter) {
  const { q, groupIds, roles: wanted = [], among, removed = false } = filter
  const text = q ? await textOf(db, reader, q, removed) : null
  return pageable(
    db,
    selectOrgUsers(db, reader.organizationId, removed)
      .$if(text !== null, (query) => query.where(text!))
      .$if(among !== undefined, (query) => query.where(among!))
      .$if(wanted.length > 0, (query) =>
        query.where((eb) =>
          eb.or(
            roles.filter((role) => wanted.includes(role)).map((role) => eb(`membership.${role}`, '=', sql.lit(true))),
          ),
        ),
      )
      .$if(groupIds !== undefined, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('group_member')
              .select('group_member.id')
              .whereRef('group_member.organization_id', '=', 'membership.organization_id')
              .whereRef('group_member.membership_id', '=', 'membership.id')
              .where(oneOf(sql`group_member.group_id`, groupIds ?? [])),
          ),
        ),
      ),
    () => orgUserSortKeys(reader),
  )
}

/**
 * Returns the SQL condition that a member's name or address contains a text. For readers who are not staff, the address
 * of a managed member does not count.
 */
async function textOf(db: Db, reader: Actor, q: string, removed: boolean): Promise<RawBuilder<boolean>> {
  const { organizationId } = reader
  const listed = sql`membership.organization_id = ${organizationId} and membership.removed_at ${removed ? sql`is not null` : sql`is null`}`
  const like = containing(q)
  const address = sql`membership.search_email ilike ${like}`
  const byAddress = is(reader, staff) ? address : sql`(${address} and membership.account_id is not null)`
  const each = sql`(membership.search_name ilike ${like} or ${byAddress})`
  const { all } = await textConditions(db, {
    organizationId,
    rows: sql`select membership.* from membership where ${listed} order by membership.search_name, membership.id`,
    alias: 'membership',
    listed,
    each,
    readsOthers: false,
    indexed: sql`membership.id = any(array(select membership.id from membership where ${listed} and ${each}))`,
  })
  return sql<boolean>`(${all})`
}

/** Returns one member by orgUserId. */
export async function findOrgUser(db: Db, organizationId: number, id: number): Promise<OrgUserRow> {
  const row = await selectOrgUsers(db, organizationId).where('membership.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns whether a present member of the organization other than `exceptId` has this address. */
export async function isMemberAddress(db: Db, organizationId: number, email: string, exceptId = 0): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('membership.id')
    .where('membership.organization_id', '=', organizationId)
    .where('membership.removed_at', 'is', null)
    .where('membership.search_email', '=', email)
    .where('membership.id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the number of present members of an organization, but at most `most`. */
export async function countMembers(db: Db, organizationId: number, most: number): Promise<number> {
  const members = db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .limit(most)
  const row = await db
    .selectFrom(members.as('m'))
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Returns the orgUserIds of all members with one of the roles. With a location, leaves out members who chose to be
 * notified only about other locations.
 */
export async function findMembersWithRole(
  db: Db,
  organizationId: number,
  wanted: readonly Role[],
  locationId?: number | null,
): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or(wanted.map((role) => eb(role, '=', true))))
    .$if(typeof locationId === 'number', (query) =>
      query.where(
        sql<boolean>`(notified_location_ids = '[]' or notified_location_ids @> ${JSON.stringify([locationId])})`,
      ),
    )
    .execute()
  return rows.map((row) => row.id)
}

/** Returns those of the given orgUserIds that are members of the organization. */
export async function findKnownMembers(db: Db, organizationId: number, orgUserIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('id', 'in', orgUserIds)
    .execute()
  return new Set(rows.map((row) => row.id))
}
