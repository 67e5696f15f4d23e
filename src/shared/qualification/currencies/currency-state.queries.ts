import type { Role, RoleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { type CurrencyWithEvidence, findCurrencyEvidence } from './currency.queries.ts'
import { type CurrencyState, currencyStateAt } from './currency.rules.ts'

/** The state of a member in one currency. */
export interface MemberCurrency extends CurrencyState {
  orgUserId: number
  currency: Pick<CurrencyWithEvidence, 'id' | 'name' | 'kind' | 'blocking'>
  documentId: number | null
}

/** Returns a member's state in every currency that applies to their roles or is recorded for them. */
export async function findCurrencyStates(
  db: Db,
  organization: { organizationId: number; zone: string },
  member: { id: number } & RoleFlags,
  now: Date,
): Promise<MemberCurrency[]> {
  const all = await findCurrencyEvidence(db, organization.organizationId, {
    orgUserIds: [member.id],
    span: { start: now, end: now },
    enforcedOnly: false,
  })
  return all
    .filter(
      ({ roles, records }) => roles.length === 0 || roles.some((role: Role) => member[role]) || records.length > 0,
    )
    .map((currency) => {
      const record = currency.records[0] ?? null
      const flights = currency.flights.map(({ flownAt }) => flownAt)
      return {
        orgUserId: member.id,
        currency,
        documentId: record?.documentId ?? null,
        ...currencyStateAt(now, currency, { record, flights }, organization.zone),
      }
    })
}
