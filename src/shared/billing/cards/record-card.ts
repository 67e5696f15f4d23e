import { identityErrors } from '../../identity/identity.errors.ts'
import { remainsMember } from '../../identity/members/member.access.ts'
import type { GatewayAccount } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'

/**
 * Stores the member's customer id at the payment gateway, after a page for saving a card was requested. A card itself is never stored
 * here. Implements interface §Invoices.
 */
export async function recordCardSetup(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  customer: { account: GatewayAccount; gatewayCustomerId: string },
): Promise<void> {
  // The removal of a member waits for this transaction, and then detaches the cards of all stored customers.
  if (!(await remainsMember(tx, actor.organizationId, orgUserId))) throw identityErrors.noSuchMember()
  await tx.db
    .insertInto('gateway_customer')
    .values({
      organization_id: actor.organizationId,
      membership_id: orgUserId,
      guest_id: null,
      gateway_account: customer.account,
      customer_id: customer.gatewayCustomerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const own = orgUserId === actor.orgUserId
  emit(tx, actor, { kind: 'payment_method.asked_for', subject: { kind: 'member', id: orgUserId }, after: { own } })
}

/** Emits the event that a card of a member was detached at the payment gateway. */
export async function recordCardRemoved(tx: Tx, actor: Actor, orgUserId: number): Promise<void> {
  const own = orgUserId === actor.orgUserId
  emit(tx, actor, { kind: 'payment_method.removed', subject: { kind: 'member', id: orgUserId }, after: { own } })
}
