import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { JoinRequest, Organization } from '../organizations.tables.ts'

/**
 * Locks an organization for changes that must run one at a time, such as removing an owner, changing settings or moving
 * the first location.
 */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<Organization> {
  return tx.em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns an organization, locked; null when it was deleted. */
export function lockOrganizationIfAny(tx: Tx, organizationId: number): Promise<Organization | null> {
  return tx.em.findOne(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns a join request of the organization, locked. */
export async function lockJoinRequest(tx: Tx, organizationId: number, id: number): Promise<JoinRequest> {
  const request = await tx.em.findOne(JoinRequest, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!request) throw platformErrors.noSuchRecord()
  return request
}

/** Returns an organization without locking it. The organization must exist. */
export function loadOrganization(tx: Tx, organizationId: number): Promise<Organization> {
  return tx.em.findOneOrFail(Organization, organizationId)
}
