import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, NotFound } from '../../platform/kernel/errors.ts'
import type { Invoice } from './invoice.entity.ts'
import { lockInvoice } from './sync-from-gateway.ts'

/**
 * The invoice to change or end, locked: it is still owed.
 * @throws NotFound; Conflict NOT_PENDING once it is paid or void.
 */
export async function lockUnpaid(tx: Tx, actor: Actor, id: number): Promise<Invoice> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw new NotFound('There is no such invoice.')
  if (invoice.status === 'pending' || invoice.status === 'open') return invoice
  throw new Conflict(`The invoice is ${invoice.status === 'paid' ? 'paid' : 'void'} already.`, 'NOT_PENDING')
}
