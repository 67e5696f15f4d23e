import { sql } from 'kysely'
import type {
  GatewayAccount,
  GatewayEvent,
  GatewayReference,
  RefundInvoice,
} from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Cents, cents } from '../../platform/kernel/units.ts'

/** The stored state of an invoice that the payment gateway named, before the gateway is read. */
export interface InvoiceAtProcessor {
  organizationId: number
  invoiceId: number
  /** The payer's customer id at the gateway; null when none is stored, or when another member was merged into the payer. */
  customerId: string | null
  /** Whether the id of the gateway's invoice is stored, or a job found it by our key; false when it only names our row. */
  known: boolean
  /** Changes with each change of the invoice's row. */
  stamp: string
  /** Whether the gateway's invoice is stored as paid; when a payment was named, whether this payment is stored. */
  paid: boolean
  /** The ids of the other gateway invoices on which this invoice was paid. */
  others: string[]
}

/** The ids that name an invoice at the payment gateway. */
export interface AskedAtGateway {
  gatewayInvoiceId: string
  payment: string | null
  reference: GatewayReference | null
  /** Whether a job found the gateway's invoice by a key, of any revision, of the row that `reference` names. */
  foundByKey?: boolean
}

/**
 * Returns the invoice to which a gateway invoice belongs, as its present or an earlier revision. While the id of the gateway invoice is
 * not stored, the invoice is found by the reference to our row. Null when no invoice of this gateway account matches.
 */
export async function findInvoiceAtGateway(
  db: Db,
  account: GatewayAccount,
  asked: AskedAtGateway,
): Promise<InvoiceAtProcessor | null> {
  const { gatewayInvoiceId: at, payment, reference, foundByKey = false } = asked
  const { rows } = await sql<InvoiceAtProcessor>`
    select i.organization_id as "organizationId", i.id as "invoiceId",
      case when exists (select from membership w where w.organization_id = i.organization_id
        and w.merged_into = i.membership_id) then null else c.customer_id end as "customerId",
      found.known, i.transaction_id::text as stamp,
      case when ${payment}::text is null then i.status = 'paid' and i.gateway_invoice_id = ${at}
        else exists (select from payment p where p.organization_id = i.organization_id and p.invoice_id = i.id
          and p.gateway_invoice_id = ${at} and coalesce(p.gateway_payment = ${payment}, true)) end as paid,
      array(select distinct p.gateway_invoice_id from payment p where p.organization_id = i.organization_id
        and p.invoice_id = i.id and p.way = 'processor' and p.gateway_invoice_id <> ${at}) as others
    from (select organization_id, id, true as known from invoice where gateway_invoice_id = ${at}
          union select organization_id, invoice_id, true from payment where gateway_invoice_id = ${at}
          union select ${reference?.organizationId ?? null}::int, ${reference?.invoiceId ?? null}::int, ${foundByKey}::boolean) found
    join invoice i on i.organization_id = found.organization_id and i.id = found.id
    left join gateway_customer c on c.organization_id = i.organization_id
      and c.membership_id is not distinct from i.membership_id and c.guest_id is not distinct from i.guest_id
      and c.gateway_account is not distinct from i.gateway_account
    where i.gateway_account is not distinct from ${account}
      and (found.known or (i.settlement = 'processor' and i.gateway_invoice_id is null))
    order by found.known desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns the stamp of an invoice's row, which changes with each change of the row; null when there is no such invoice. */
export async function findStamp(
  db: Db,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<string | null> {
  const found = await db
    .selectFrom('invoice')
    .select(sql<string>`transaction_id::text`.as('stamp'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.stamp ?? null
}

/** Returns the sum of the stored payments of a gateway invoice, in cents. */
export async function sumPaymentsOf(db: Db, organizationId: number, gatewayInvoiceId: string): Promise<Cents> {
  const found = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.sum<string>('amount_cents').as('paid'))
    .where('organization_id', '=', organizationId)
    .where('gateway_invoice_id', '=', gatewayInvoiceId)
    .executeTakeFirst()
  return cents(Number(found?.paid ?? 0))
}

/** Returns the id of the payment that an entry of an account made; null when it made none. */
export async function findPaymentOfEntry(db: Db, organizationId: number, entryId: number): Promise<number | null> {
  const found = await db
    .selectFrom('payment')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('ledger_entry_id', '=', entryId)
    .executeTakeFirst()
  return found?.id ?? null
}

/** A refund of an invoice that may have been paid on several gateway invoices: those of its present and its earlier revisions. */
export type RefundToMake = Omit<RefundInvoice, 'gatewayInvoiceId'> & { gatewayInvoiceIds: string[] }

/** Selects the ids of the gateway invoices on which an invoice `i` may have been paid: the present one, then earlier ones. */
export const copiesAtGateway = sql<string[]>`
  (select coalesce(array_agg(c.at order by c.latest desc), '{}') from (
     select x.at, max(x.latest) as latest from (
       select i.gateway_invoice_id as at, 2147483647 as latest
       union all
       select gateway_invoice_id, id from payment
       where organization_id = i.organization_id and invoice_id = i.id and way = 'processor') x
     where x.at is not null group by x.at) c)`

/** Returns the gateway request that refunds the overpaid part of a payment; null when it was refunded, or nothing was overpaid. */
export async function findOverpaid(
  db: Db,
  { organizationId, paymentId }: { organizationId: number; paymentId: number },
): Promise<RefundToMake | null> {
  const found = await db
    .selectFrom('payment as p')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'p.organization_id').onRef('i.id', '=', 'p.invoice_id'),
    )
    .select(['i.gateway_account', 'p.gateway_invoice_id', 'p.refund_key', 'p.overpaid_cents'])
    .where('p.organization_id', '=', organizationId)
    .where('p.id', '=', paymentId)
    .where('p.overpaid_cents', '>', 0 as Cents)
    .where('p.overpaid_returned_at', 'is', null)
    .executeTakeFirst()
  if (!found?.gateway_invoice_id) return null
  return {
    account: found.gateway_account,
    gatewayInvoiceIds: [found.gateway_invoice_id],
    key: found.refund_key,
    amountCents: found.overpaid_cents,
  }
}

/** Returns the events that are not stored yet: neither a webhook nor an earlier read of the list brought them. */
export async function findUnknownEvents(db: Db, events: readonly GatewayEvent[]): Promise<GatewayEvent[]> {
  if (events.length === 0) return []
  const ids = events.map(({ id }) => id)
  const rows = await db.selectFrom('gateway_event').select('event_id').where('event_id', 'in', ids).execute()
  const known = new Set(rows.map(({ event_id }) => event_id))
  return events.filter(({ id }) => !known.has(id))
}

/** A gateway account, and the time up to which its events were read; null: never. */
export interface AccountLook {
  account: GatewayAccount
  readUntil: Date | null
}

/** Returns the account of a row of `gateway_event_sweep`; null when its organization was deleted. */
export async function findLook(db: Db, id: number): Promise<AccountLook | null> {
  const found = await db
    .selectFrom('gateway_event_sweep')
    .select(['account', 'read_until as readUntil'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? null
}
