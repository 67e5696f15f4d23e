import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { minus, ZERO } from '../../platform/kernel/units.ts'
import { nextInvoiceNumber } from './invoice.access.ts'
import type { Invoice } from './invoice.entity.ts'
import { settleAtGateway } from './invoices.jobs.ts'

/** Payment methods outside the payment gateway. */
export const outsideMethods = ['cash', 'check', 'card', 'other'] as const
export type OutsideMethod = (typeof outsideMethods)[number]

/**
 * Marks a locked, unpaid invoice paid outside the gateway, and enqueues the job that marks it paid there.
 * Implements docs/decisions/0011.
 */
export async function markPaid(tx: Tx, actor: Actor, invoice: Invoice, method: OutsideMethod): Promise<void> {
  const { organizationId } = actor
  tx.em.assign(invoice, {
    status: 'paid',
    settlement: 'offline',
    paidAt: tx.now,
    amountPaidCents: minus(invoice.totalCents, invoice.creditedCents ?? ZERO),
    paymentMethod: method,
    number: invoice.number ?? (await nextInvoiceNumber(tx, organizationId)),
  })
  tx.enqueue(settleAtGateway, { organizationId, invoiceId: invoice.id })
  emit(tx, actor, {
    kind: 'invoice.paid',
    subject: { kind: 'invoice', id: invoice.id },
    after: { settlement: 'offline' },
  })
}
