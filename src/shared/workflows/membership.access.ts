import { LockMode } from '@mikro-orm/core'
import { Membership } from '../identity/members.tables.ts'
import { JoinRequest, Organization } from '../identity/organizations.tables.ts'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { platformErrors } from '../platform/platform.errors.ts'
import { workflowsErrors } from './workflows.errors.ts'

/**
 * Returns the present memberships of an account, in the same order for all callers, so that their locks do not
 * deadlock.
 */
export function findMembershipsOfAccount(tx: Tx, accountId: number): Promise<Membership[]> {
  return tx.em.find(Membership, { accountId, removedAt: null }, { orderBy: { organizationId: 'asc' } })
}

/** Returns the present memberships with these ids, of any organization. Only a restore uses it. */
export function findMembershipsById(tx: Tx, ids: readonly number[]): Promise<Membership[]> {
  return tx.em.find(Membership, { id: { $in: [...ids] }, removedAt: null })
}

/** Returns the ended memberships with these ids that are not erased, of any organization. Only a restore uses it. */
export function findUnerasedById(tx: Tx, ids: readonly number[]): Promise<Membership[]> {
  return tx.em.find(Membership, { id: { $in: [...ids] }, removedAt: { $ne: null }, erasedAt: null })
}

/** Returns the number of organizations that an account owns. */
export function countOwned(tx: Tx, accountId: number): Promise<number> {
  return tx.em.count(Membership, { accountId, owner: true, removedAt: null })
}

/** Returns the organization of a join code, in upper or lower case. */
export async function findOrganizationByCode(tx: Tx, code: string): Promise<Organization> {
  const organization = await tx.em.findOne(Organization, { code: code.toUpperCase() })
  if (!organization) throw workflowsErrors.noSuchCode()
  return organization
}

/** Returns the undecided join request of an account; null when there is none. */
export function findOwnJoinRequest(tx: Tx, organizationId: number, accountId: number): Promise<JoinRequest | null> {
  return tx.em.findOne(JoinRequest, { organizationId, accountId, status: 'pending' })
}

/** Returns the member with this id who was merged into the actor after `since`; throws when there is none. */
export async function findMergedInto(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  id: number,
  since: Date,
): Promise<Membership> {
  const source = await tx.em.findOne(Membership, {
    id,
    organizationId,
    mergedInto: orgUserId,
    mergedAt: { $gt: since },
  })
  if (!source) throw platformErrors.noSuchRecord()
  return source
}

/** Returns a member or former member of the organization, locked; null when it never had one with this id. */
export function findFormerMember(tx: Tx, organizationId: number, id: number): Promise<Membership | null> {
  return tx.em.findOne(Membership, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Returns the number of memberships of an account, former ones included. */
export function countMembershipsOf(tx: Tx, accountId: number): Promise<number> {
  return tx.em.count(Membership, { accountId })
}

/** Returns the ids of a former member's invoices that are unpaid, wait for the decision on a refund, or have an open dispute. */
export async function findNeedsOf(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['pending', 'open']),
        eb('refund_waiting_at', 'is not', null),
        eb('dispute_status', '=', 'open'),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
