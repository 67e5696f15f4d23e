import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { CurrencyRule } from './currency.entity.ts'

/**
 * Returns the currency to change or to record dates of.
 * @throws NotFound when the organization has none with this id.
 */
export async function findRule(tx: Tx, { organizationId }: Actor, id: number): Promise<CurrencyRule> {
  const rule = await tx.em.findOne(CurrencyRule, { organizationId, id })
  if (!rule) throw platformErrors.noSuchRecord()
  return rule
}

/**
 * Checks that the resources in a body are the organization's.
 * @throws Invalid naming the first that is not.
 */
export async function mustHaveResources(tx: Tx, { organizationId }: Actor, resourceIds: number[]): Promise<void> {
  if (resourceIds.length === 0) return
  const found = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', resourceIds)
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = resourceIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw qualificationErrors.unknownResource({ index: missing })
}
