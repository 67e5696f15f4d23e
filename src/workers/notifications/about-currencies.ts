import type { HappeningPayload } from '../../shared/notifications/notifications.jobs.ts'
import type { Concerned } from '../../shared/notifications/tell-concerned.ts'
import type { CurrencyToTell } from '../../shared/notifications/wording/currency.rules.ts'
import { members, type Sources } from './telling.ts'

type Currency = CurrencyToTell & { orgUserId: number }

/** A currency that has not run out yet, and was not renewed since it was to be told of. */
export async function expiringCurrency(
  { database, clock }: Sources,
  { organizationId, subjectId }: HappeningPayload,
): Promise<Currency | null> {
  const row = await database.db
    .selectFrom('currency_record as k')
    .innerJoin('currency_rule as c', (join) =>
      join.onRef('c.organization_id', '=', 'k.organization_id').onRef('c.id', '=', 'k.currency_rule_id'),
    )
    .innerJoin('organization as o', 'o.id', 'k.organization_id')
    .select([
      'k.membership_id as orgUserId',
      'k.expires_at as expiresAt',
      'k.expiry_told_for as toldFor',
      'c.id as currencyId',
      'c.name',
      'c.blocking',
      'o.time_zone_name as zone',
    ])
    .where('k.organization_id', '=', organizationId)
    .where('k.id', '=', subjectId)
    .executeTakeFirst()
  if (!row?.expiresAt || row.expiresAt <= clock() || row.toldFor?.getTime() !== row.expiresAt.getTime()) return null
  const { toldFor: _, ...currency } = row
  return { ...currency, expiresAt: row.expiresAt }
}

/** The member whose currency it is. */
export function holder({ orgUserId }: Currency): Concerned {
  return members([orgUserId])
}
