import { findOwners } from '../../identity/members/owner.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Loosened } from '../../platform/authz/loosened.rules.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { mailOwnMoney, type OwnMoney } from './own-money.jobs.ts'

/**
 * Mails all owners that an admin moved money in their own favour: a payment, credit or refund of their own invoice, an entry or
 * the reversal of a charge of their own account, an offline refund of money that they recorded themself, or terms of their own. It is not refused:
 * a school may have one admin. Each such event of the log has `own`. Implements interface §Invoices.
 */
export async function notifyOwnersOfOwnMoney(
  tx: Tx,
  { organizationId, orgUserId: by }: Actor,
  {
    what,
    amountCents = null,
    currency,
  }: { what: Exclude<OwnMoney, 'control'>; amountCents?: Cents | null; currency: string },
): Promise<void> {
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    tx.enqueue(mailOwnMoney, { organizationId, orgUserId, by, what, amountCents, currency })
  }
}

/** Mails all owners that a control of money will be looser, whoever loosened it. */
export async function notifyOwnersOfControl(
  tx: Tx,
  { organizationId, orgUserId: by, organization }: Actor,
  { key, from }: Loosened,
): Promise<void> {
  const { currency } = organization.settings
  const control = { key, from: from.toISOString() }
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    tx.enqueue(mailOwnMoney, { organizationId, orgUserId, by, what: 'control', amountCents: null, currency, control })
  }
}
