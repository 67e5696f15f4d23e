import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from '../invoices.tables.ts'

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

/** For this many days an attempt counts whose result the payment gateway never told; by then the gateway's events have been read. */
const UNKNOWN_FOR_DAYS = 1

/**
 * Returns whether a locked invoice may be in the course of being charged to a card: a job calls the gateway, or the gateway has not
 * said that nothing was charged.
 */
export async function mayBeCharging(
  tx: Tx,
  { organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from autopay_charge where organization_id = ${organizationId} and invoice_id = ${id}
      and amount_cents is not null and state <> 'paid'
      and (state = 'charging' or updated_at > ${tx.now}::timestamptz - make_interval(days => ${UNKNOWN_FOR_DAYS}))`.execute(
    tx.db,
  )
  return rows.length > 0
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
