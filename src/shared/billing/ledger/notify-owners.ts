import { findOwners } from '../../identity/members/owner.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type OwnMoney, ownMoneyMail } from './own-money.jobs.ts'

/**
 * Mails all owners that an admin moved money in their own favour: a payment, credit or refund of their own invoice, an entry or
 * the reversal of a charge of their own account, or an offline refund of money that they recorded themself. It is not refused: a school may have one
 * admin. Implements interface §Invoices.
 */
export async function notifyOwnersOfOwnMoney(
  tx: Tx,
  { organizationId, orgUserId: by }: Actor,
  { what, amountCents, currency }: { what: OwnMoney; amountCents: Cents; currency: string },
): Promise<void> {
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    tx.enqueue(ownMoneyMail, { organizationId, orgUserId, by, what, amountCents, currency })
  }
}
