import { sql } from 'kysely'
import type { GatewayAccount, RefundInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Cents, cents } from '../../platform/kernel/units.ts'

/** An invoice that the payment gateway speaks of, and the payer's customer there; null before it is stored. */
export interface InvoiceAtProcessor {
  organizationId: number
  invoiceId: number
  customerId: string | null
}

/**
 * Returns the invoice of a gateway invoice, of this or an earlier revision of it; null when the account has none of the
 * service's.
 */
export async function findInvoiceAtProcessor(
  db: Db,
  account: GatewayAccount,
  processorInvoiceId: string,
): Promise<InvoiceAtProcessor | null> {
  const { rows } = await sql<InvoiceAtProcessor>`
    select i.organization_id as "organizationId", i.id as "invoiceId", c.customer_id as "customerId"
    from (select organization_id, id from invoice where processor_invoice_id = ${processorInvoiceId}
          union select organization_id, invoice_id from payment where processor_invoice_id = ${processorInvoiceId}) found
    join invoice i on i.organization_id = found.organization_id and i.id = found.id
    left join processor_customer c on c.organization_id = i.organization_id
      and c.membership_id is not distinct from i.membership_id and c.guest_id is not distinct from i.guest_id
      and c.processor_account is not distinct from i.processor_account
    where i.processor_account is not distinct from ${account} limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns what payments of a gateway invoice are stored, in cents. */
export async function sumPaymentsOf(db: Db, organizationId: number, processorInvoiceId: string): Promise<Cents> {
  const found = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.sum<string>('amount_cents').as('paid'))
    .where('organization_id', '=', organizationId)
    .where('processor_invoice_id', '=', processorInvoiceId)
    .executeTakeFirst()
  return cents(Number(found?.paid ?? 0))
}

/** A refund of an invoice whose payments may be of several gateway invoices: of its present and its earlier revisions. */
export type RefundToMake = Omit<RefundInvoice, 'processorInvoiceId'> & { processorInvoiceIds: string[] }

/** Selects the gateway invoices of an invoice `i` that may have brought money: the present one, then those before. */
export const copiesAtGateway = sql<string[]>`
  (select coalesce(array_agg(c.at order by c.latest desc), '{}') from (
     select x.at, max(x.latest) as latest from (
       select i.processor_invoice_id as at, 2147483647 as latest
       union all
       select processor_invoice_id, id from payment
       where organization_id = i.organization_id and invoice_id = i.id and way = 'processor') x
     where x.at is not null group by x.at) c)`

/** Returns the gateway request that gives back what a payment overpaid; null when it went back. */
export async function findOverpaid(
  db: Db,
  { organizationId, paymentId }: { organizationId: number; paymentId: number },
): Promise<RefundToMake | null> {
  const found = await db
    .selectFrom('payment as p')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'p.organization_id').onRef('i.id', '=', 'p.invoice_id'),
    )
    .select(['i.processor_account', 'p.processor_invoice_id', 'p.refund_key', 'p.overpaid_cents'])
    .where('p.organization_id', '=', organizationId)
    .where('p.id', '=', paymentId)
    .where('p.overpaid_cents', '>', 0 as Cents)
    .where('p.overpaid_returned_at', 'is', null)
    .executeTakeFirst()
  if (!found?.processor_invoice_id) return null
  return {
    account: found.processor_account,
    processorInvoiceIds: [found.processor_invoice_id],
    key: found.refund_key,
    amountCents: found.overpaid_cents,
  }
}
