import { z } from 'zod'
import { chargeFlight } from '../../../shared/billing/flight-bill/flight-bill.rules.ts'
import { flightChargeOf } from '../../../shared/billing/flight-bill/flight-charge.ts'
import { addTaxes } from '../../../shared/billing/flight-bill/taxes.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { minus, sum } from '../../../shared/platform/kernel/units.ts'
import { isFlown } from '../../../shared/scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { Cents } from '../../http/schemas.ts'
import { PayerView } from '../../scheduling/reservations/stake.view.ts'

/** The quantity of a line. */
export const Quantity = z.number().meta({ unit: 'How many of `unit`' })

/** The tax of one rate over the lines of an invoice. */
export const TaxTotal = z
  .object({
    name: z.string(),
    basisPoints: z.int().describe('Hundredths of a percent'),
    taxableCents: Cents.describe('The amount on which the tax is charged'),
    taxCents: Cents,
  })
  .meta({ id: 'TaxTotal' })

/** The breakdown of a flight's costs. Invoices that are made from the same figures have the same amounts. */
export const InvoiceTotals = z
  .object({
    lines: z.array(
      z.object({
        description: z.string(),
        kind: z.string(),
        quantity: Quantity,
        unit: z.string(),
        unitPrice: Cents,
        amountCents: Cents.describe('Excludes taxes'),
        taxCents: Cents,
        payer: PayerView.nullable().describe('null while it is not known how the costs are divided among the payers'),
      }),
    ),
    subtotalCents: Cents.describe('The sum of the lines, without taxes'),
    taxes: z.array(TaxTotal),
    taxCents: Cents,
    totalCents: Cents.describe('Includes taxes'),
    shares: z.array(z.object({ payer: PayerView, amountCents: Cents.describe('Includes taxes') })),
    warnings: z.array(z.string()).describe('What will not be billed, and why; empty for readers who are not staff'),
  })
  .meta({ id: 'InvoiceTotals' })

/**
 * Returns the breakdown for a reader: staff see all of it, others only their own share. Null while there is nothing to
 * bill.
 * Implements interface §Reservation: a member gets no share or rate of another person.
 */
export function invoiceTotalsView(row: ReservationRow, reader: Actor): z.input<typeof InvoiceTotals> | null {
  if (!isFlown(row) || row.collection_style === 'prepaid_fixed') return null
  const bill = chargeFlight(flightChargeOf(row, reader.organization.settings))
  const all = is(reader, staff)
  const mine = (payer: { orgUserId: number | null } | null) => all || payer?.orgUserId === reader.orgUserId
  const shares = bill.shares.filter((share) => mine(share.payer))
  const taxes = addTaxes(shares.flatMap((share) => share.taxes))
  const taxCents = sum(taxes.map((tax) => tax.taxCents))
  const totalCents = all ? bill.totalCents : sum(shares.map(({ amountCents }) => amountCents))
  return {
    lines: bill.lines
      .filter((line) => mine(line.payer))
      .map((line) => ({
        description: line.description,
        kind: line.kind,
        quantity: readingToNumber(line.quantityHundredths),
        unit: line.unit,
        unitPrice: line.unitPrice,
        amountCents: line.amountCents,
        taxCents: line.taxCents,
        payer: line.payer,
      })),
    subtotalCents: minus(totalCents, taxCents),
    taxes,
    taxCents,
    totalCents,
    shares: shares.map(({ payer, amountCents }) => ({ payer, amountCents })),
    warnings: all ? [...bill.warnings, ...bill.problems.map((problem) => problem.message)] : [],
  }
}
