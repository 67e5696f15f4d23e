import { type Actor, assertIsVerified, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import { hundredths, ZERO } from '../../platform/kernel/units.ts'
import { findReservation } from '../../scheduling/reservations/one-reservation.queries.ts'
import { decidesForPayers } from '../../scheduling/reservations/payers.rules.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { flightChargeOf, titleFor } from '../flight-bill/flight-charge.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import type { OutsideMethod } from '../payments/payment.rules.ts'
import { createInvoice } from './create-invoice.ts'

/**
 * Charges the package of a prepaid booking that the same transaction has created.
 * Implements interface §Reservations, create rule 7.
 */
export async function createPrepaidInvoice(
  tx: Tx,
  actor: Actor,
  reservationId: number,
): Promise<{ invoiceId: number }> {
  const row = await findReservation(tx.db, actor.organizationId, reservationId)
  if (!row) throw nobodyPays()
  return createPackageInvoice(tx, actor, row)
}

/**
 * Charges the package of a prepaid booking to its leading payer: by an invoice, or by a ledger debit for a ledger-mode member. Only desk
 * staff may debit somebody else's account, because a debit is charged immediately and an instructor may set the price. With `paidBy` the
 * invoice is written as paid. When only staff may set prepaid prices, all owners are mailed when somebody sets a price that they pay
 * themself.
 * Implements interface §Reservations, create rule 7.
 */
export async function createPackageInvoice(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  paidBy?: OutsideMethod,
): Promise<{ invoiceId: number }> {
  if (!paidBy) assertIsVerified(actor)
  const { payers, locationId } = flightChargeOf(row, actor.organization.settings)
  const [payer] = payers
  if (!payer) throw nobodyPays()
  const isOwn = payer.orgUserId === actor.orgUserId
  if (!isOwn && !decidesForPayers(actor, row)) throw billingErrors.prepaidForOther()
  const amountCents = row.prepaid_amount_cents ?? ZERO
  const invoice = await createInvoice(tx, actor, {
    payer,
    lines: [
      {
        kind: 'package',
        description: titleFor(row, payer),
        quantityHundredths: hundredths(100),
        unit: 'package',
        unitPrice: amountCents,
        amountCents,
      },
    ],
    memo: null,
    reservationId: row.id,
    locationId,
    ledgerKind: 'prepaid_charge',
    ...(paidBy && { paidBy }),
  })
  const isOwnAccount = invoice.membershipId === actor.orgUserId
  if (invoice.settlement === 'ledger' && !isOwnAccount && !is(actor, deskStaff)) throw billingErrors.prepaidOnAccount()
  const { prepaidBy, currency } = actor.organization.settings
  if (!paidBy && isOwn && prepaidBy === 'staff') {
    await notifyOwnersOfOwnMoney(tx, actor, { what: 'prepaid', amountCents, currency })
  }
  return { invoiceId: invoice.id }
}

function nobodyPays(): Invalid {
  return billingErrors.prepaidWithoutPayer()
}
