import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { assertTransition, lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import { billingErrors } from '../billing.errors.ts'
import { chargeFlight, isBillable } from '../flight-bill/flight-bill.rules.ts'
import { type Payer, samePayer } from '../flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../flight-bill/flight-charge.ts'
import { lockPackages } from '../packages/package.access.ts'
import { holdForPayers } from './notify-payers.ts'
import { type RaiseInvoice, raiseInvoice } from './raise-invoice.ts'

/** The invoices written, and a message for each payer who could not be billed. */
export interface InvoicedFlight {
  invoiceIds: number[]
  warnings: string[]
  /** Until when a payer who did not sign may object; null: the flight is invoiced. */
  heldUntil: Date | null
}

/**
 * Writes one invoice per payer who has none that stands, with the amounts of the breakdown. Jobs issue them at the gateway. None is
 * written while a payer who did not sign may object to what would be taken.
 * Implements interface §Reservations rules 1–4 and 9.
 * @throws Invalid when the flight is not closed out, the split cannot be applied, or there is nothing to bill.
 * @throws Invalid ALREADY_EXISTS when every payer has an invoice that stands.
 */
export async function invoiceFlight(tx: Tx, actor: Actor, reservationId: number): Promise<InvoicedFlight> {
  const { planned, warnings, heldUntil } = await planInvoices(tx, actor, reservationId)
  const invoiceIds: number[] = []
  for (const plan of planned) invoiceIds.push((await raiseInvoice(tx, actor, plan)).id)
  return { invoiceIds, warnings, heldUntil }
}

/** The invoice of one payer of a flight, before it is raised. */
export interface PlannedInvoice extends RaiseInvoice {
  payer: Payer
  /** With taxes. */
  totalCents: Cents
}

/**
 * Returns the invoices that are still to be raised for a flight, one per payer who has none that stands; none while payers are held
 * up (`holdForPayers`). The booking is locked until the commit.
 * Implements interface §Reservations rules 1–4 and 9.
 * @throws Invalid when the flight is not closed out, the split cannot be applied, or there is nothing to bill.
 * @throws Invalid ALREADY_EXISTS when every payer has an invoice that stands.
 */
export async function planInvoices(
  tx: Tx,
  actor: Actor,
  reservationId: number,
): Promise<{ planned: PlannedInvoice[]; warnings: string[]; heldUntil: Date | null }> {
  const row = await lockReservation(tx, actor, reservationId)
  assertTransition('invoice', row)
  const standing = row.invoices.filter(({ stands }) => stands)
  const already = billingErrors.allInvoiced()
  if (row.collection_style === 'prepaid_fixed') throw already
  const packages = row.packages.length > 0 ? await lockPackages(tx, actor.organizationId, row) : []
  const flight = { ...flightChargeOf(row, actor.organization.settings), packages }
  const { locationId } = flight
  const bill = chargeFlight(flight)
  if (bill.problems.length > 0) {
    throw invalidFields(bill.problems)
  }
  const open = bill.shares.filter((share) => !standing.some((invoice) => samePayer(invoice, share.payer)))
  if (bill.shares.length > 0 && open.length === 0) throw already
  const billable = open.filter(isBillable)
  if (billable.length === 0) throw nothingToBill(bill.warnings)
  const held = await holdForPayers(tx, actor, row, { shares: billable, payers: flight.payers })
  if (held) return { planned: [], warnings: [...held.warnings, ...bill.warnings], heldUntil: held.until }
  const planned = billable.map(({ payer, amountCents: totalCents, uses }): PlannedInvoice => {
    const lines = bill.lines.flatMap(({ payer: of, taxCents: _, ...line }) =>
      of && samePayer(of, payer) ? [line] : [],
    )
    return { payer, lines, uses, totalCents, memo: row.title, reservationId, locationId, ledgerKind: 'flight_charge' }
  })
  return { planned, warnings: bill.warnings, heldUntil: null }
}

function nothingToBill(warnings: readonly string[]) {
  if (warnings.length === 0) return billingErrors.nothingToBill()
  return billingErrors.nothingToBillBecause({ warnings: warnings.join(' ') })
}
