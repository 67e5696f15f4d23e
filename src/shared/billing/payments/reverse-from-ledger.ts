import type { Tx } from '../../platform/db/transaction.ts'
import { minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import type { Invoice } from '../invoices.tables.ts'
import { postEntry } from '../ledger/post-entry.ts'
import { figuresByWay, findPaymentsToChange, takeBack } from './payment.access.ts'

/**
 * Reverses what is left of the payments of a locked invoice from its payer's account, when its booking is cancelled: the amounts go back
 * to the account. What credit notes gave back before stays.
 */
export async function reverseFromLedger(
  tx: Tx,
  { orgUserId: by }: { orgUserId: number | null },
  invoice: Invoice,
  reason: string,
): Promise<void> {
  if (!invoice.ledgerPaidCents) return
  const { organizationId, id: invoiceId } = invoice
  for (const payment of await findPaymentsToChange(tx, invoice)) {
    const { ledgerEntryId, amountCents, reversedCents = ZERO, refundedCents = ZERO } = payment
    const leftCents = minus(minus(amountCents, reversedCents), refundedCents)
    if (ledgerEntryId == null || leftCents <= 0) continue
    const { postedAt: at } = await postEntry(tx, {
      organizationId,
      membershipId: invoice.membershipId as number,
      kind: 'reversal',
      amountCents: leftCents,
      reservationId: invoice.reservationId ?? null,
      invoiceId,
      reversesId: ledgerEntryId,
      memo: reason,
      createdBy: by,
    })
    takeBack(tx, invoice, payment, { cents: plus(reversedCents, leftCents), by, reason, at })
  }
  if (invoice.status === 'paid' && balanceOf(figuresByWay(invoice)) > 0) {
    tx.em.assign(invoice, { status: 'open', paidAt: null, paymentMethod: null })
  }
}
