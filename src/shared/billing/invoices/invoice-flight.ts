import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { assertTransition, lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import { billingErrors } from '../billing.errors.ts'
import { chargeFlight, isBillable } from '../flight-bill/flight-bill.rules.ts'
import { samePayer } from '../flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../flight-bill/flight-charge.ts'
import { raiseInvoice } from './raise-invoice.ts'

/** The invoices written, and a message for each payer who could not be billed. */
export interface InvoicedFlight {
  invoiceIds: number[]
  warnings: string[]
}

/**
 * Writes one invoice per payer who has none yet, with the amounts of the breakdown. Jobs issue them at the gateway.
 * Implements interface §Reservations rules 1–4 and 9.
 * @throws Invalid when the flight is not closed out, the split cannot be applied, or there is nothing to bill.
 * @throws Invalid ALREADY_EXISTS when every payer has an invoice.
 */
export async function invoiceFlight(tx: Tx, actor: Actor, reservationId: number): Promise<InvoicedFlight> {
  const row = await lockReservation(tx, actor, reservationId)
  assertTransition('invoice', row)
  const liveInvoices = row.invoices.filter((invoice) => invoice.status !== 'void')
  const already = billingErrors.allInvoiced()
  if (row.collection_style === 'prepaid_fixed') throw already
  const bill = chargeFlight(flightChargeOf(row, actor.organization.settings))
  if (bill.problems.length > 0) {
    throw invalidFields(bill.problems)
  }
  const open = bill.shares.filter((share) => !liveInvoices.some((invoice) => samePayer(invoice, share.payer)))
  if (bill.shares.length > 0 && open.length === 0) throw already
  const billable = open.filter(isBillable)
  if (billable.length === 0) throw nothingToBill(bill.warnings)
  const invoiceIds: number[] = []
  for (const { payer } of billable) {
    const lines = bill.lines.flatMap(({ payer: of, ...line }) => (of && samePayer(of, payer) ? [line] : []))
    const invoice = await raiseInvoice(tx, actor, {
      payer,
      lines,
      memo: row.title,
      reservationId,
      ledgerKind: 'flight_charge',
    })
    invoiceIds.push(invoice.id)
  }
  return { invoiceIds, warnings: bill.warnings }
}

function nothingToBill(warnings: readonly string[]) {
  if (warnings.length === 0) return billingErrors.nothingToBill()
  return billingErrors.nothingToBillBecause({ warnings: warnings.join(' ') })
}
