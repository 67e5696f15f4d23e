import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { Offering } from '../booking-requests.tables.ts'

/** Returns the offering to change or delete, locked until the commit. */
export async function lockOffering(tx: Tx, { organizationId }: Actor, id: number): Promise<Offering> {
  const offering = await tx.em.findOne(Offering, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!offering) throw platformErrors.noSuchRecord()
  return offering
}
