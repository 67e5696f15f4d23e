import { type Actor, is } from '../../../shared/platform/authz/actor.ts'

/** Invoices are read by their payer, and by admins and dispatchers. */
export function mayReadInvoice(actor: Actor, invoice: { membership_id: number | null }): boolean {
  return is(actor, ['owner', 'admin', 'dispatcher']) || invoice.membership_id === actor.orgUserId
}
