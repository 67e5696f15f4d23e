import type { Db } from '../../platform/db/database.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { type GivenOverride, type KeptOverride, noOverrides, type Overrides } from './override.types.ts'

/**
 * Returns the overrides of a booking: those that are asked for, and those that were kept.
 * @throws Invalid for a currency that the organization does not have.
 */
export async function loadOverrides(
  db: Db,
  organizationId: number,
  { id, overrides: given = [] }: { id: number | null; overrides?: readonly GivenOverride[] | undefined },
): Promise<Overrides> {
  await mustHaveCurrencies(db, organizationId, given)
  if (id === null) return given.length === 0 ? noOverrides : { given, kept: [] }
  return { given, kept: await findKeptOverrides(db, organizationId, id) }
}

async function findKeptOverrides(db: Db, organizationId: number, reservationId: number): Promise<KeptOverride[]> {
  const rows = await db
    .selectFrom('rule_override as o')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'o.organization_id').onRef('m.id', '=', 'o.overridden_by'),
    )
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['o.rule', 'o.membership_id', 'o.resource_id', 'o.starts_at', 'o.reason', 'o.overridden_by'])
    .select(['o.created_at', 'a.name'])
    .where('o.organization_id', '=', organizationId)
    .where('o.reservation_id', '=', reservationId)
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({
    rule: row.rule,
    orgUserId: row.membership_id ?? null,
    resourceId: row.resource_id ?? null,
    startsAt: row.starts_at,
    reason: row.reason,
    by: { orgUserId: row.overridden_by, name: row.name },
    at: row.created_at,
  }))
}

/** Checks that each currency whose rule is overridden is the organization's. */
async function mustHaveCurrencies(db: Db, organizationId: number, given: readonly GivenOverride[]): Promise<void> {
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
