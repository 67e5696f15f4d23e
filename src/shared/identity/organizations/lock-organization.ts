import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { Organization } from './organization.entity.ts'

/**
 * Locks an organization for changes that must run one at a time, such as removing an owner, changing settings or moving
 * the first location.
 */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<Organization> {
  return tx.em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}
