import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { Organization } from './organization.entity.ts'

/**
 * Locks an organization for what must not happen twice at once in it: its last owner leaving, its settings changing,
 * its first location moving.
 */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<Organization> {
  return tx.em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}
