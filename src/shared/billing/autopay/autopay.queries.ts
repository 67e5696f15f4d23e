import type { Db } from '../../platform/db/database.ts'

/**
 * Returns the earliest instant of the first automatic charge of an invoice: `notBefore` is null until the payer is notified.
 * Undefined when the invoice is not charged automatically, or when an attempt was made already.
 */
export function findPlanned(
  db: Db,
  { organizationId, invoiceId }: { organizationId: number; invoiceId: number },
): Promise<{ notBefore: Date | null } | undefined> {
  return db
    .selectFrom('autopay_charge')
    .select('not_before as notBefore')
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'planned')
    .executeTakeFirst()
}

/** A member's customer record in one account of the payment gateway. */
export interface KnownCustomer {
  account: string | null
  key: string
  gatewayCustomerId: string
}

/** Returns the customer records at the payment gateway of one member, or of all members of the organization. */
export async function findCustomersOf(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId?: number },
): Promise<KnownCustomer[]> {
  return db
    .selectFrom('gateway_customer as c')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.id', '=', 'c.membership_id'),
    )
    .select(['c.gateway_account as account', 'm.gateway_key as key', 'c.customer_id as gatewayCustomerId'])
    .where('c.organization_id', '=', organizationId)
    .$if(orgUserId !== undefined, (query) => query.where('c.membership_id', '=', orgUserId!))
    .execute()
}
