import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockUnpaid } from './find-for-action.ts'
import { voidAtGateway } from './invoices.jobs.ts'

/**
 * Ends an unpaid invoice: at once here, so that its flight can be billed again, and by a job at the processor. Should
 * the payer be faster there, the money is given back.
 * @throws NotFound; Conflict NOT_PENDING once it is paid or void.
 */
export async function voidInvoice(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  const invoice = await lockUnpaid(tx, actor, id)
  tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: reason })
  tx.enqueue(voidAtGateway, { organizationId: actor.organizationId, invoiceId: id })
  return { id }
}
