import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { Invoice } from '../invoices.tables.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { nextReceiptNumber, writeReceipt } from '../ledger/write-receipt.ts'
import { addPayment } from './payment.access.ts'
import type { OutsideMethod } from './payment.rules.ts'

/** A payment outside of the payment gateway, as a member records it. */
export interface Recorded {
  method: OutsideMethod
  amountCents: Cents
  receivedAt: Date
  reference?: string | null
}

/**
 * Adds a recorded payment to a locked invoice: writes its row, updates the sums of the invoice, emits an event and gives a
 * receipt. Mails all owners when the member who records it is the payer.
 */
export async function addRecorded(tx: Tx, actor: Actor, invoice: Invoice, recorded: Recorded): Promise<void> {
  const { method, amountCents } = recorded
  const own = invoice.membershipId === actor.orgUserId
  const payment = addPayment(tx, invoice, { way: 'offline', ...recorded, recordedBy: actor.orgUserId })
  const number = await nextReceiptNumber(tx, actor)
  await tx.em.flush()
  await writeReceipt(tx, actor, { number, paymentId: payment.id, amountCents })
  const subject = { kind: 'invoice', id: invoice.id } as const
  emit(tx, actor, { kind: 'invoice.payment_recorded', subject, after: { amountCents, method, own } })
  if (own) await notifyOwnersOfOwnMoney(tx, actor, { what: 'payment', amountCents, currency: invoice.currency })
}
