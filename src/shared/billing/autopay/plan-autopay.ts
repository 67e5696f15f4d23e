import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from '../invoices.tables.ts'
import { chargeByAutopay, mailOfCharge } from './autopay.jobs.ts'
import { findPlanned } from './autopay.queries.ts'
import { type Raised, whenCharged } from './autopay.rules.ts'

/**
 * Plans the automatic charge of a new invoice to the payer's card. Does nothing when the payer is a guest, or when the invoice is
 * never charged: the mail about the invoice asks the payer to pay. Implements interface §Invoices.
 */
export async function planAutopay(tx: Tx, actor: Actor, invoice: Invoice, kind: Raised['kind']): Promise<void> {
  const { organizationId, id: invoiceId, membershipId } = invoice
  if (membershipId == null) return
  const when = whenCharged({ kind, own: actor.orgUserId === membershipId && !actor.standsIn })
  if (when === 'never') return
  await tx.db
    .insertInto('autopay_charge')
    .values({
      organization_id: organizationId,
      invoice_id: invoiceId,
      membership_id: membershipId,
      not_before: when === 'at_once' ? tx.now : null,
    })
    .execute()
}

/**
 * Enqueues the first attempt to charge an invoice that the payment gateway now has; or the mail that announces the charge, when the
 * payer must be notified first. Does nothing when no charge is planned.
 */
export async function startAutopay(tx: Tx, { organizationId, id: invoiceId }: Invoice): Promise<void> {
  const planned = await findPlanned(tx.db, { organizationId, invoiceId })
  if (!planned) return
  const { notBefore: availableAt } = planned
  if (availableAt) tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt: 1 }, { availableAt })
  else tx.enqueue(mailOfCharge, { organizationId, invoiceId })
}
