import type { Db } from '../../platform/db/database.ts'

/** Returns from when on an invoice is charged automatically for the first time; null when it is not, or was tried. */
export async function findPlanned(
  db: Db,
  { organizationId, invoiceId }: { organizationId: number; invoiceId: number },
): Promise<Date | null> {
  const planned = await db
    .selectFrom('autopay_charge')
    .select('not_before')
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  return planned?.not_before ?? null
}

/** Returns the customers that a member has at the payment gateway, one for each of its accounts. */
export async function findCustomersOf(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<{ account: string | null; processorCustomerId: string }[]> {
  return db
    .selectFrom('processor_customer')
    .select(['processor_account as account', 'customer_id as processorCustomerId'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
}
