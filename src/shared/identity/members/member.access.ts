import { LockMode } from '@mikro-orm/core'
import { type Actor, assertIs } from '../../platform/authz/actor.ts'
import { holdsDeskGrant } from '../../platform/authz/desk-grant.queries.ts'
import { type Role, type RoleFlags, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { assertHasFormsLeft, assertKeepsDemoQuota } from '../../platform/storage/upload-forms.ts'
import { identityErrors } from '../identity.errors.ts'
import { Membership } from '../members.tables.ts'
import { lockOrganization } from '../organizations/organization.access.ts'

/** Returns a member of the organization by orgUserId or account id, for a change. */
export async function findMember(
  tx: Tx,
  organizationId: number,
  by: { id: number } | { accountId: number },
): Promise<Membership> {
  const member = await findMemberIfAny(tx, organizationId, by)
  if (!member) throw platformErrors.noSuchRecord()
  return member
}

/** Returns the orgUserId of a member of the organization, without reading what changes. */
export async function findOrgUserId(
  db: Db,
  organizationId: number,
  by: { id: number } | { accountId: number },
): Promise<number> {
  if ('id' in by) return by.id
  const row = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', by.accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row.id
}

/** Returns a member of the organization by orgUserId or account id; null when there is none. */
export function findMemberIfAny(
  tx: Tx,
  organizationId: number,
  by: { id: number } | { accountId: number },
): Promise<Membership | null> {
  return tx.em.findOne(Membership, { ...by, organizationId, removedAt: null })
}

/**
 * Returns whether a present or former member has an account and can be asked by mail. False for a managed member, and for a former one
 * whose account was deleted.
 */
export async function hasAccountToAsk(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const member = await tx.em.findOne(Membership, { id, organizationId })
  if (!member) throw platformErrors.noSuchRecord()
  return member.accountId != null && (member.removedAt == null || member.searchEmail !== '')
}

/** Returns a present or former member, whose facts cannot be erased before the commit. */
export function lockFormerOrPresent(tx: Tx, organizationId: number, id: number): Promise<Membership> {
  return tx.em.findOneOrFail(Membership, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_READ, refresh: true })
}

/** Returns a member without an account, locked; null when there is none with this id. */
export function lockManagedMember(tx: Tx, organizationId: number, id: number): Promise<Membership | null> {
  return tx.em.findOne(
    Membership,
    { id, organizationId, accountId: null, removedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
}

/**
 * Returns whether the orgUserId is a present member. Locks the row, so that the membership cannot end before the
 * transaction does.
 */
export async function remainsMember(tx: Tx, organizationId: number, orgUserId: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a member as stored now, also when the transaction has read the row before it got a lock. */
export async function rereadMember(tx: Tx, organizationId: number, id: number): Promise<Membership> {
  const member = await findMember(tx, organizationId, { id })
  await tx.em.refresh(member)
  return member
}

/** Returns the members for whom a member is to pay. */
export function findPayees(tx: Tx, organizationId: number, id: number): Promise<Membership[]> {
  return tx.em.find(Membership, { organizationId, billToId: id }, { orderBy: { id: 'asc' } })
}

/** Locks the row of a member, so that changes of the member's data run one at a time. */
export async function lockMember(
  tx: Tx,
  { organizationId, orgUserId }: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Returns the roles of the organization's owners and admins other than this member. Leaves out members without an
 * account, who cannot sign in. The caller holds the organization's lock.
 */
export function otherLeaders(tx: Tx, member: Pick<Membership, 'id' | 'organizationId'>) {
  return tx.db
    .selectFrom('membership')
    .select(['owner', 'admin'])
    .where('organization_id', '=', member.organizationId)
    .where('removed_at', 'is', null)
    .where('account_id', 'is not', null)
    .where('id', '<>', member.id)
    .where((eb) => eb.or([eb('owner', '=', true), eb('admin', '=', true)]))
    .execute()
}

/**
 * Ensures that an orgUserId of a request body is a present member, with one of the `wanted` roles when given. Returns
 * the member's roles. `field` is the path of the orgUserId in the body.
 */
export async function assertIsMember(
  source: Source,
  { organizationId }: Pick<Actor, 'organizationId'>,
  orgUserId: number,
  field: string,
  wanted?: readonly Role[],
): Promise<RoleFlags> {
  const row = await ('selectFrom' in source ? source : source.db)
    .selectFrom('membership')
    .select(roles)
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw identityErrors.unknownMember({ field })
  const flags = roleFlags(row)
  if (wanted && !wanted.some((role) => flags[role])) {
    throw identityErrors.lacksRole({
      field,
      roles: wanted.includes('instructor') ? 'an instructor' : wanted.join(' or '),
    })
  }
  return flags
}

/**
 * Ensures that the actor still has one of the `wanted` roles, or the desk grant that let them in; with `member`, that
 * the actor is still a member. Rereads the roles, because they may have changed since the request arrived. The caller holds the organization's lock.
 */
export async function assertStillIs(
  tx: Tx,
  actor: Actor,
  wanted: readonly Role[] | 'member',
  refusal: PlainError<403> = platformErrors.notAllowed,
): Promise<void> {
  const stored = await tx.db
    .selectFrom('membership')
    .select(roles)
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', actor.orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!stored) throw refusal()
  if (actor.grant) {
    if (!(await holdsDeskGrant(tx.db, actor, actor.grant, { lock: true }))) throw refusal()
    return
  }
  if (wanted !== 'member') assertIs({ ...actor, roles: roleFlags(stored) }, wanted, refusal)
}

/**
 * Ensures that the actor is still an owner: only an owner grants or removes `owner`. The caller holds the
 * organization's lock.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 */
export async function assertIsOwner(tx: Tx, actor: Actor): Promise<void> {
  await assertStillIs(tx, actor, ['owner'], identityErrors.ownersForOwners)
}

/**
 * Ensures that an actor may open `count` upload forms. Takes the organization's lock first, so that concurrent role
 * changes and uploads have finished before the check.
 */
export async function assertTakesUploads(
  tx: Tx,
  actor: Actor,
  count: number,
  by: readonly Role[] | 'member',
): Promise<void> {
  await lockOrganization(tx, actor.organizationId)
  await assertStillIs(tx, actor, by)
  if (actor.organization.demo) await assertKeepsDemoQuota(tx, actor.organizationId, count)
  await assertHasFormsLeft(tx, actor.organizationId, count)
}
