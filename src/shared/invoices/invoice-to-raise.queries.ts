import type { FindInvoice, RaiseInvoice } from '../adapters/processor/processor.port.ts'
import type { Db } from '../db/database.ts'
import type { invoiceStatuses } from './invoice.entity.ts'

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

/** An invoice of ours as the processor is asked to raise it; null when it is not pending any more. */
export function findInvoiceToRaise(db: Db, id: InvoiceId): Promise<RaiseInvoice | null> {
  return load(db, id, ['pending'])
}

/** A void invoice of ours as the processor may know it; it counts as paid when the payer was faster than our voiding. */
export function findInvoiceToVoid(db: Db, id: InvoiceId): Promise<FindInvoice | null> {
  return load(db, id, ['void', 'paid'])
}

async function load(
  db: Db,
  { organizationId, invoiceId }: InvoiceId,
  statuses: (typeof invoiceStatuses)[number][],
): Promise<RaiseInvoice | null> {
  const invoice = await db
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
      'i.id',
      'i.created_at',
      'i.currency',
      'i.memo',
      'i.due_at',
      'i.processor_account',
      'i.membership_id',
      'i.guest_id',
      'a.name as member_name',
      'a.email as member_email',
      'g.name as guest_name',
      'g.email as guest_email',
      'c.customer_id',
    ])
    .where('i.organization_id', '=', organizationId)
    .where('i.id', '=', invoiceId)
    .where('i.status', 'in', statuses)
    .executeTakeFirst()
  if (!invoice) return null
  const items = await db
    .selectFrom('invoice_item')
    .select(['id', 'description', 'amount_cents'])
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('position')
    .execute()
  const payer = invoice.membership_id === null ? `guest_${invoice.guest_id}` : `member_${invoice.membership_id}`
  return {
    account: invoice.processor_account ?? null,
    key: `inv_${organizationId}_${invoice.id}`,
    createdAt: invoice.created_at,
    currency: invoice.currency,
    customer: {
      key: `cus_${organizationId}_${payer}`,
      processorCustomerId: invoice.customer_id ?? null,
      name: invoice.member_name ?? invoice.guest_name ?? '',
      email: invoice.member_email ?? invoice.guest_email ?? null,
    },
    items: items.map((item) => ({
      key: `item_${item.id}`,
      description: item.description,
      amountCents: item.amount_cents,
    })),
    memo: invoice.memo ?? null,
    dueAt: invoice.due_at ?? null,
    reference: { organizationId, invoiceId },
  }
}
