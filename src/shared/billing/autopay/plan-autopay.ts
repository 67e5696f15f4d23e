import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from '../invoices.tables.ts'
import { chargeByAutopay, mailOfCharge } from './autopay.jobs.ts'
import { findPlanned } from './autopay.queries.ts'
import { type Raised, whenCharged } from './autopay.rules.ts'

/**
 * Notes that an invoice that was just raised is to be charged to the payer's card. Nothing is noted where the payer is
 * asked instead: the mail about the invoice does that. Implements interface §Invoices.
 */
export async function planAutopay(tx: Tx, actor: Actor, invoice: Invoice, kind: Raised['kind']): Promise<void> {
  const { organizationId, id: invoiceId, membershipId } = invoice
  if (membershipId == null) return
  const when = whenCharged({ kind, own: actor.orgUserId === membershipId })
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

/** Enqueues the first attempt of an invoice that the payment gateway has now, or the mail that comes before it. */
export async function startAutopay(tx: Tx, { organizationId, id: invoiceId }: Invoice): Promise<void> {
  const planned = await findPlanned(tx.db, { organizationId, invoiceId })
  if (!planned) return
  const { notBefore: availableAt } = planned
  if (availableAt) tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt: 1 }, { availableAt })
  else tx.enqueue(mailOfCharge, { organizationId, invoiceId })
}
