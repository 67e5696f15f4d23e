import { sql } from 'kysely'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { CardOwner, GatewayPayer } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'

/** A member as the owner of cards, in the gateway account that the school's invoices use at present. */
export interface MemberCards extends CardOwner {
  customer: GatewayPayer
  /** The organization's currency, an ISO 4217 code. */
  currency: string
}

/**
 * Returns a member as the owner of cards at the payment gateway. `gatewayCustomerId` is null for a member who never had an invoice or
 * a page for saving a card there; such a member has no card.
 */
export async function findCardOwner(db: Db, organizationId: number, orgUserId: number): Promise<MemberCards> {
  const { rows } = await sql<{ key: string; name: string; email: string; settings: unknown }>`
    select m.gateway_key as key, m.search_name as name, m.search_email as email, o.settings
    from membership m join organization o on o.id = m.organization_id
    where m.organization_id = ${organizationId} and m.id = ${orgUserId} and m.removed_at is null`.execute(db)
  const [member] = rows
  if (!member) throw identityErrors.noSuchMember()
  const { stripeAccountReady, stripeAccountId, currency } = readSettings(member.settings)
  const account = stripeAccountReady ? stripeAccountId : null
  const known = await db
    .selectFrom('gateway_customer')
    .select('customer_id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('gateway_account', 'is not distinct from', account)
    .executeTakeFirst()
  const gatewayCustomerId = known?.customer_id ?? null
  const { key, name } = member
  return { account, currency, customer: { key, name, email: member.email || null, gatewayCustomerId } }
}
