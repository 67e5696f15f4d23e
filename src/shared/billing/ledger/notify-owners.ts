import { findOwners } from '../../identity/members/owner.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Loosened } from '../../platform/authz/loosened.rules.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { mailOwnMoney, type OwnMoney } from './own-money.jobs.ts'

/**
 * Mails all owners that an admin moved money in the admin's own favour: by a payment, credit or refund of the admin's own invoice, by
 * an entry or a reversed charge of the admin's own account, by an offline refund of a payment that the admin recorded, or by a change
 * of the admin's own terms. This is not refused, because a school may have only one admin. The event in the log is marked with `own`.
 * Implements interface §Invoices.
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

/** Mails all owners that a setting that protects money will be less strict, whoever changed it. */
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
