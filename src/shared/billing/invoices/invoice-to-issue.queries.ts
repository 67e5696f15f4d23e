import { sql } from 'kysely'
import type {
  FindInvoice,
  InvoiceAtGateway,
  IssueInvoice,
} from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import { nameOf } from '../../platform/db/sort-keys.ts'
import { type Cents, minus } from '../../platform/kernel/units.ts'
import type { Invoice } from '../invoices.tables.ts'
import { copiesAtGateway, type RefundToMake } from '../payments/payment.queries.ts'
import { invoiceKey } from './gateway-keys.ts'
import { memoForPayer } from './payer.rules.ts'

const lines = sql<{ key: string; description: string; amountCents: Cents }[]>`
  (select json_agg(json_build_object('key', l.key, 'description', l.description, 'amountCents', l.amount_cents) order by l.part, l.place)
   from (select 1 as part, t.position as place, 'item_' || t.id as key, t.description, t.amount_cents from invoice_item t
           where t.organization_id = i.organization_id and t.invoice_id = i.id
         union all
         select 2, x.place, 'tax_' || x.place, x.tax ->> 'name', (x.tax ->> 'taxCents')::int
           from jsonb_array_elements(i.taxes) with ordinality as x (tax, place) where x.tax ->> 'taxCents' <> '0'
         union all
         select 3, c.number, 'credit_' || c.id, 'Credit note ' || c.number, -c.amount_cents from credit_note c
           where c.organization_id = i.organization_id and c.invoice_id = i.id
         union all
         select 4, p.id, 'payment_' || p.id, 'Payment received', p.reversed_cents - p.amount_cents from payment p
           where p.organization_id = i.organization_id and p.invoice_id = i.id and p.amount_cents > p.reversed_cents
         union all
         select 5, 0, 'refunded', 'Refunded', i.refunded_cents where i.refunded_cents > 0) l)`

/** The member for whom a bill-to payer pays; null without one. */
const billedFor = sql<string | null>`${nameOf(sql`i.billed_for_id`)}`

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/**
 * Returns the gateway request that issues an invoice; null when it is not pending any more or its lines were replaced.
 * A single statement reads the row and its lines, so that both belong to the same revision.
 */
export async function findInvoiceToRaise(
  db: Db,
  { revision, ...id }: InvoiceId & { revision: number },
): Promise<IssueInvoice | null> {
  const invoice = await queryOne(db, id).select(lines.as('items')).select(billedFor.as('billed_for')).executeTakeFirst()
  if (invoice?.status !== 'pending' || invoice.revision !== revision) return null
  return {
    ...gatewayReference(invoice, revision),
    currency: invoice.currency,
    items: invoice.items,
    memo: memoForPayer(invoice.billed_for, invoice.memo ?? null),
    dueAt: invoice.due_at ?? null,
    reference: id,
  }
}

/**
 * The gateway invoice to void. `superseded`: its lines were replaced here, whatever the invoice's status is now.
 * `settled`: the invoice is paid here, so that money paid on the gateway invoice is a payment of it, or overpaid.
 */
export interface InvoiceToVoid extends FindInvoice {
  superseded: boolean
  settled: boolean
}

/**
 * Returns the gateway request that voids an invoice; null when there is nothing to void. A paid invoice is included,
 * since the payer may pay before the void arrives. An earlier revision is voided in any status.
 */
export async function findInvoiceToVoid(
  db: Db,
  { revision, ...id }: InvoiceId & { revision?: number | undefined },
): Promise<InvoiceToVoid | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (!invoice) return null
  const superseded = revision !== undefined && revision !== invoice.revision
  if (!superseded && invoice.status !== 'void' && invoice.status !== 'paid') return null
  const settled = !superseded && invoice.status === 'paid' && invoice.void_reason === null
  return { ...gatewayReference(invoice, revision ?? invoice.revision), superseded, settled }
}

/** Returns whether payments through the gateway are kept: a part of the invoice was paid, and the rest was credited. */
export function keepsPayments(invoice: Pick<Loaded, 'status' | 'settlement' | 'void_reason'>): boolean {
  return invoice.status === 'paid' && invoice.settlement === 'processor' && invoice.void_reason === null
}

/** Returns the gateway request that marks an invoice paid; null unless it was paid outside the gateway. */
export async function findInvoiceToSettle(db: Db, id: InvoiceId): Promise<FindInvoice | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (invoice?.settlement !== 'offline' || invoice.status !== 'paid') return null
  return gatewayReference(invoice, invoice.revision)
}

/** Returns the gateway request that reads an open invoice; null unless it is open and issued. */
export async function findInvoiceToFollow(db: Db, id: InvoiceId): Promise<InvoiceAtGateway | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (invoice?.status !== 'open' || !invoice.gateway_invoice_id) return null
  return { account: invoice.gateway_account ?? null, gatewayInvoiceId: invoice.gateway_invoice_id }
}

/**
 * Returns the gateway request that refunds an invoice; null when it is already refunded, or has no gateway invoice. A void invoice is
 * refunded too: it was paid after another invoice had replaced it.
 */
export async function findInvoiceToRefund(
  db: Db,
  { organizationId, invoiceId }: InvoiceId,
): Promise<RefundToMake | null> {
  const invoice = await db
    .selectFrom('invoice as i')
    .select([
      'i.gateway_account',
      'i.refund_key',
      'i.gateway_paid_cents',
      'i.gateway_refunded_cents',
      copiesAtGateway.as('copies'),
    ])
    .where('i.organization_id', '=', organizationId)
    .where('i.id', '=', invoiceId)
    .where('i.status', 'in', ['paid', 'void'])
    .where('i.refunded_at', 'is', null)
    .executeTakeFirst()
  if (!invoice || invoice.copies.length === 0) return null
  return {
    account: invoice.gateway_account ?? null,
    gatewayInvoiceIds: invoice.copies,
    key: invoice.refund_key,
    // The refunds of credit notes are separate refunds.
    amountCents:
      invoice.gateway_refunded_cents > 0 ? minus(invoice.gateway_paid_cents, invoice.gateway_refunded_cents) : null,
  }
}

/**
 * Returns whether an invoice was voided or paid here before the gateway accepted it: the gateway may then have an open
 * invoice.
 */
export function wasClosedBeforeIssue(invoice: Pick<Invoice, 'status' | 'settlement' | 'gatewayInvoiceId'>): boolean {
  const ended = invoice.status === 'void' || invoice.status === 'paid'
  return ended && invoice.settlement !== 'ledger' && !invoice.gatewayInvoiceId
}

type Loaded = NonNullable<Awaited<ReturnType<ReturnType<typeof queryAtGateway>['executeTakeFirst']>>>

/** Returns the gateway's account, key and customer of a loaded invoice; the key is the one of this revision. */
export function gatewayReference(invoice: Loaded, revision: number): Pick<IssueInvoice, keyof FindInvoice> {
  return {
    account: invoice.gateway_account ?? null,
    key: invoiceKey({ gatewayKeys: invoice.gateway_keys, revision }),
    createdAt: invoice.created_at,
    customer: {
      key: invoice.member_key ?? invoice.guest_key ?? '',
      gatewayCustomerId: invoice.customer_id ?? null,
      name: invoice.member_name ?? invoice.guest_name ?? '',
      email: invoice.member_email || invoice.guest_email || null,
    },
  }
}

function queryOne(db: Db, { organizationId, invoiceId }: InvoiceId) {
  return queryAtGateway(db, organizationId).where('i.id', '=', invoiceId)
}

/** Returns a query of the organization's invoices `i` with all gateway keys and ids. */
export function queryAtGateway(db: Db, organizationId: number) {
  return db
    .selectFrom('invoice as i')
    .leftJoin('membership as m', 'm.id', 'i.membership_id')
    .leftJoin('guest as g', 'g.id', 'i.guest_id')
    .leftJoin('gateway_customer as c', (join) =>
      join
        .onRef('c.organization_id', '=', 'i.organization_id')
        .on((eb) =>
          eb.and([
            eb('c.membership_id', 'is not distinct from', eb.ref('i.membership_id')),
            eb('c.guest_id', 'is not distinct from', eb.ref('i.guest_id')),
            eb('c.gateway_account', 'is not distinct from', eb.ref('i.gateway_account')),
          ]),
        ),
    )
    .select([
      'i.status',
      'i.settlement',
      'i.void_reason',
      'i.revision',
      'i.created_at',
      'i.currency',
      'i.memo',
      'i.due_at',
      'i.gateway_account',
      'i.gateway_invoice_id',
      'i.gateway_keys',
      'i.membership_id',
      'i.guest_id',
      'm.search_name as member_name',
      'm.search_email as member_email',
      'm.gateway_key as member_key',
      'g.gateway_key as guest_key',
      'g.name as guest_name',
      'g.email as guest_email',
      'c.customer_id',
    ])
    .where('i.organization_id', '=', organizationId)
}
