import type { Db } from '../../platform/db/database.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { GivenOverride } from './override.types.ts'

/**
 * Checks that each currency whose rule is overridden is the organization's.
 * @throws Invalid naming the first that is not.
 */
export async function mustHaveCurrencies(
  db: Db,
  organizationId: number,
  given: readonly GivenOverride[],
): Promise<void> {
  const asked = given.map(({ rule }) => (rule.startsWith('currency:') ? Number(rule.slice('currency:'.length)) : null))
  const ids = asked.filter((id) => id !== null)
  if (ids.length === 0) return
  const known = await db
    .selectFrom('currency_rule')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const unknown = asked.findIndex((id) => id !== null && !known.some((one) => one.id === id))
  if (unknown >= 0) throw schedulingErrors.unknownRule({ field: `overrides.${unknown}.rule` })
}
