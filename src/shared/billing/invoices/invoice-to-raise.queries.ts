import { sql } from 'kysely'
import type {
  FindInvoice,
  InvoiceAtGateway,
  RaiseInvoice,
} from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Invoice } from './invoice.entity.ts'
import { invoiceKey } from './invoice-key.ts'

const lines = sql<{ key: string; description: string; amountCents: number }[]>`
  (select json_agg(json_build_object('key', 'item_' || t.id, 'description', t.description,
     'amountCents', t.amount_cents) order by t.position)
   from invoice_item t where t.organization_id = i.organization_id and t.invoice_id = i.id)`

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/**
 * An invoice of ours as the processor is asked to raise it; null when it is not pending any more or its lines were
 * replaced. One statement, so that the lines are those of that revision.
 */
export async function findInvoiceToRaise(
  db: Db,
  { revision, ...id }: InvoiceId & { revision: number },
): Promise<RaiseInvoice | null> {
  const invoice = await queryOne(db, id).select(lines.as('items')).executeTakeFirst()
  if (invoice?.status !== 'pending' || invoice.revision !== revision) return null
  return {
    ...finding(invoice, revision),
    currency: invoice.currency,
    items: invoice.items,
    memo: invoice.memo ?? null,
    dueAt: invoice.due_at ?? null,
    reference: id,
  }
}

/** What is to be ended at the processor. `superseded`: lines that were replaced here, whatever became of the invoice. */
export interface InvoiceToVoid extends FindInvoice {
  superseded: boolean
}

/**
 * A void invoice of ours as the processor may know it; it counts as paid when the payer was faster than our voiding.
 * An earlier revision is to be ended however the invoice stands now.
 */
export async function findInvoiceToVoid(
  db: Db,
  { revision, ...id }: InvoiceId & { revision?: number | undefined },
): Promise<InvoiceToVoid | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (!invoice) return null
  const superseded = revision !== undefined && revision !== invoice.revision
  if (!superseded && invoice.status !== 'void' && invoice.status !== 'paid') return null
  return { ...finding(invoice, revision ?? invoice.revision), superseded }
}

/** What was paid outside the processor. `inHand`: in cash or by check, which a payment at the processor is beside. */
export interface InvoiceToSettle extends FindInvoice {
  inHand: boolean
}

/** An invoice that is paid outside the processor, as the processor may know it; null when it is not. */
export async function findInvoiceToSettle(db: Db, id: InvoiceId): Promise<InvoiceToSettle | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (invoice?.settlement !== 'offline' || invoice.status !== 'paid') return null
  const inHand = invoice.payment_method === 'cash' || invoice.payment_method === 'check'
  return { ...finding(invoice, invoice.revision), inHand }
}

/** An open invoice of ours as the processor is asked how it stands; null when it is not open. */
export async function findInvoiceToFollow(db: Db, id: InvoiceId): Promise<InvoiceAtGateway | null> {
  const invoice = await queryOne(db, id).executeTakeFirst()
  if (invoice?.status !== 'open' || !invoice.processor_invoice_id) return null
  return { account: invoice.processor_account ?? null, processorInvoiceId: invoice.processor_invoice_id }
}

/** Whether an invoice ended here although it was never heard that the processor has it: something may be left there. */
export function wasClosedBeforeIssue(invoice: Pick<Invoice, 'status' | 'settlement' | 'processorInvoiceId'>): boolean {
  const ended = invoice.status === 'void' || invoice.status === 'paid'
  return ended && invoice.settlement !== 'ledger' && !invoice.processorInvoiceId
}

type Loaded = NonNullable<Awaited<ReturnType<ReturnType<typeof queryAtGateway>['executeTakeFirst']>>>

/** Where the processor has a loaded invoice of ours, with the lines of that revision, and whose it is there. */
export function finding(invoice: Loaded, revision: number): Pick<RaiseInvoice, keyof FindInvoice> {
  return {
    account: invoice.processor_account ?? null,
    key: invoiceKey({ processorKeys: invoice.processor_keys, revision }),
    createdAt: invoice.created_at,
    customer: {
      key: invoice.member_key ?? invoice.guest_key ?? '',
      processorCustomerId: invoice.customer_id ?? null,
      name: invoice.member_name ?? invoice.guest_name ?? '',
      email: invoice.member_email || invoice.guest_email || null,
    },
  }
}

function queryOne(db: Db, { organizationId, invoiceId }: InvoiceId) {
  return queryAtGateway(db, organizationId).where('i.id', '=', invoiceId)
}

/** The organization's invoices `i` with what the processor knows them by. */
export function queryAtGateway(db: Db, organizationId: number) {
  return db
    .selectFrom('invoice as i')
    .leftJoin('membership as m', 'm.id', 'i.membership_id')
    .leftJoin('account as a', 'a.id', 'm.account_id')
    .leftJoin('guest as g', 'g.id', 'i.guest_id')
    .leftJoin('processor_customer as c', (join) =>
      join
        .onRef('c.organization_id', '=', 'i.organization_id')
        .on((eb) =>
          eb.and([
            eb('c.membership_id', 'is not distinct from', eb.ref('i.membership_id')),
            eb('c.guest_id', 'is not distinct from', eb.ref('i.guest_id')),
            eb('c.processor_account', 'is not distinct from', eb.ref('i.processor_account')),
          ]),
        ),
    )
    .select([
      'i.status',
      'i.settlement',
      'i.payment_method',
      'i.revision',
      'i.created_at',
      'i.currency',
      'i.memo',
      'i.due_at',
      'i.processor_account',
      'i.processor_invoice_id',
      'i.processor_keys',
      'i.membership_id',
      'i.guest_id',
      'a.name as member_name',
      'a.email as member_email',
      'm.processor_key as member_key',
      'g.processor_key as guest_key',
      'g.name as guest_name',
      'g.email as guest_email',
      'c.customer_id',
    ])
    .where('i.organization_id', '=', organizationId)
}
