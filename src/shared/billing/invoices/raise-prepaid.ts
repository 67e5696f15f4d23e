import { type Actor, mustBeVerified } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { findReservation } from '../../scheduling/reservations/reservation.queries.ts'
import { flightChargeOf } from '../flight-bill/flight-charge.ts'
import type { OutsideMethod } from './mark-paid.ts'
import { raiseInvoice } from './raise-invoice.ts'

/**
 * Charges the package of a prepaid booking to its leading payer: an invoice, or a ledger debit for a ledger-mode
 * member. With `paidBy` the invoice is written as paid.
 * Implements interface §Reservations, create rule 7.
 * @throws Invalid when nobody on the booking pays.
 * @throws Forbidden when the caller's email address is not verified.
 */
export async function raisePrepaid(
  tx: Tx,
  actor: Actor,
  reservationId: number,
  paidBy?: OutsideMethod,
): Promise<{ invoiceId: number }> {
  if (!paidBy) mustBeVerified(actor)
  const row = await findReservation(tx.db, actor.organizationId, reservationId)
  const payer = row && flightChargeOf(row, actor.organization.settings).payers[0]
  if (!row || !payer) throw new Invalid('personnel: a prepaid booking needs somebody who pays')
  const amountCents = row.prepaid_amount_cents ?? 0
  const invoice = await raiseInvoice(tx, actor, {
    payer,
    lines: [
      {
        kind: 'package',
        description: row.title,
        quantityHundredths: 100,
        unit: 'package',
        unitPrice: amountCents,
        amountCents,
      },
    ],
    memo: null,
    reservationId,
    ledgerKind: 'prepaid_charge',
    ...(paidBy && { paidBy }),
  })
  return { invoiceId: invoice.id }
}
