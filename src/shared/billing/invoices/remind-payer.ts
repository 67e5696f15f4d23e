import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { billingErrors } from '../billing.errors.ts'
import { lockInvoice } from './invoice.access.ts'

const HOUR_MS = 3_600_000
/** The most reminders per invoice, manual and automatic ones together. */
export const MOST_REMINDERS = 10

/** Reminds the payer of an open invoice, with the link to pay it. Implements interface §Invoices. */
export async function remindPayer(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  const { organizationId } = actor
  const invoice = await lockInvoice(tx, organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  if (invoice.status === 'paid') throw billingErrors.invoicePaid()
  if (invoice.status === 'pending') throw billingErrors.invoiceNotAtGateway()
  if (invoice.status !== 'open') throw billingErrors.invoiceVoid()
  const reminders = invoice.reminders ?? 0
  if (reminders >= MOST_REMINDERS) throw billingErrors.remindedEnough({ limit: MOST_REMINDERS })
  const { reminderIntervalHours } = actor.organization.settings
  if (invoice.remindedAt && tx.now.getTime() - invoice.remindedAt.getTime() < reminderIntervalHours * HOUR_MS) {
    throw billingErrors.remindedAlready({ hours: reminderIntervalHours })
  }
  tx.em.assign(invoice, { remindedAt: tx.now, reminders: reminders + 1 })
  emit(tx, actor, { kind: 'invoice.reminded', subject: { kind: 'invoice', id } })
  return { id }
}
