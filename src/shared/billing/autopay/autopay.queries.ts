import type { Db } from '../../platform/db/database.ts'

/**
 * Returns from when on an invoice is charged automatically for the first time, null until the payer was told; undefined when it is not
 * charged, or was tried.
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

/** A member as a customer at the payment gateway, in one of its accounts. */
export interface KnownCustomer {
  account: string | null
  key: string
  gatewayCustomerId: string
}

/** Returns the customers that a member, or all members of an organization, have at the payment gateway. */
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
