import { Membership } from '../identity/members/membership.entity.ts'
import { JoinRequest, Organization } from '../identity/organizations/organization.entity.ts'
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

/** Returns the number of organizations that an account owns. */
export function countOwned(tx: Tx, accountId: number): Promise<number> {
  return tx.em.count(Membership, { accountId, owner: true, removedAt: null })
}

/**
 * Returns the organization of a join code, in upper or lower case.
 * @throws NotFound when no organization has the code.
 */
export async function findOrganizationByCode(tx: Tx, code: string): Promise<Organization> {
  const organization = await tx.em.findOne(Organization, { code: code.toUpperCase() })
  if (!organization) throw workflowsErrors.noSuchCode()
  return organization
}

/** Returns the undecided join request of an account; null when there is none. */
export function findOwnJoinRequest(tx: Tx, organizationId: number, accountId: number): Promise<JoinRequest | null> {
  return tx.em.findOne(JoinRequest, { organizationId, accountId, status: 'pending' })
}

/**
 * Returns a member who was merged into the actor since an instant.
 * @throws NotFound when there is none with this id.
 */
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
