import { z } from 'zod'
import { chargeFlight } from '../../../shared/billing/flight-bill/flight-bill.rules.ts'
import { flightChargeOf } from '../../../shared/billing/flight-bill/flight-charge.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { isFlown } from '../../../shared/scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { Cents, Id } from '../../http/schemas.ts'

const Payer = z.object({
  orgUserId: Id.nullable(),
  guestId: Id.nullable(),
  name: z.string().meta({ examples: ['Ana Ruiz'] }),
})

/** The breakdown of a flight's costs, equal to the invoices raised from the same figures. */
export const InvoiceTotals = z
  .object({
    lines: z.array(
      z.object({
        description: z.string().meta({ examples: ['N512FL (wet, Hobbs)'] }),
        kind: z.string().meta({ examples: ['aircraft'] }),
        quantity: z.number().meta({ examples: [1.4] }),
        unit: z.string().meta({ examples: ['hour'] }),
        unitPrice: Cents.describe('Cents'),
        amountCents: Cents,
        payer: Payer.nullable(),
      }),
    ),
    totalCents: Cents,
    shares: z.array(z.object({ payer: Payer, amountCents: Cents })),
    warnings: z.array(z.string()).meta({ examples: [[]] }),
  })
  .meta({ id: 'InvoiceTotals' })

/**
 * Returns the breakdown for a reader: staff see all of it, others their own share; null while there is nothing to bill.
 * Implements interface §Reservation: a member gets no share or rate of another person.
 */
export function invoiceTotalsView(row: ReservationRow, reader: Actor): z.input<typeof InvoiceTotals> | null {
  if (!isFlown(row) || row.collection_style === 'prepaid_fixed') return null
  const bill = chargeFlight(flightChargeOf(row, reader.organization.settings))
  const all = is(reader, staff)
  const mine = (payer: { orgUserId: number | null } | null) => all || payer?.orgUserId === reader.orgUserId
  const shares = bill.shares.filter((share) => mine(share.payer))
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
        payer: line.payer,
      })),
    totalCents: all ? bill.totalCents : shares.reduce((sum, share) => sum + share.amountCents, 0),
    shares,
    warnings: all ? [...bill.warnings, ...bill.problems.map((problem) => problem.message)] : [],
  }
}
