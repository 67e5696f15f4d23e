import { type Actor, is } from '../../../shared/platform/authz/actor.ts'

/** Whether the actor may read an invoice: its payer, admins and dispatchers. */
export function mayReadInvoice(actor: Actor, invoice: { membership_id: number | null }): boolean {
  return is(actor, ['owner', 'admin', 'dispatcher']) || invoice.membership_id === actor.orgUserId
}
