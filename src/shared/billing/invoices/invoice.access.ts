import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, NotFound } from '../../platform/kernel/errors.ts'
import { Invoice } from './invoice.entity.ts'

/** Returns the invoice, locked until the commit; null when it does not exist (its organization was deleted). */
export async function lockInvoice(tx: Tx, organizationId: number, invoiceId: number): Promise<Invoice | null> {
  return tx.em.findOne(
    Invoice,
    { organizationId, id: invoiceId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
}

/**
 * Returns the invoice, locked until the commit, when it is pending or open.
 * @throws NotFound when the organization has no such invoice.
 * @throws Conflict NOT_PENDING when it is paid, void or failed.
 */
export async function lockUnpaid(tx: Tx, actor: Actor, id: number): Promise<Invoice> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw new NotFound('There is no such invoice.')
  if (invoice.status === 'pending' || invoice.status === 'open') return invoice
  throw new Conflict(`The invoice is ${invoice.status === 'paid' ? 'paid' : 'void'} already.`, 'NOT_PENDING')
}
