import { z } from 'zod'
import type { NamedPlace } from '../../../shared/scheduling/reservations/named-places.queries.ts'
import type { RowWithPlaces } from '../../../shared/workflows/bulk-places.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, NamedReference } from '../../http/schemas.ts'
import { PersonnelView, personnelView } from '../../scheduling/reservations/personnel.view.ts'
import { PayerView } from '../../scheduling/reservations/stake.view.ts'
import { BookingProblem } from '../../scheduling/rules/problem.view.ts'

/** A problem with a cell of an import. */
const ColumnProblem = z
  .object({
    column: z.string().nullable().describe('The column of the file; null when the problem concerns the whole row'),
    message: z.string(),
  })
  .meta({ id: 'ColumnProblem' })

/** The time, resource and people of a booking. */
export const BookingPlace = z
  .object({ start: Instant, end: Instant, resource: NamedReference.nullable(), personnel: PersonnelView })
  .meta({ id: 'BookingPlace' })

/** Returns a place with the names of the interface, without the contact details of guests. */
export function bookingPlaceView({ start, end, resource, seats }: NamedPlace): z.input<typeof BookingPlace> {
  return { start: iso(start), end: iso(end), resource, personnel: personnelView(seats, false) }
}

/** A record that an operation works on. */
export const OperationRow = z
  .object({
    id: Id.nullable().describe('The record that a row of an import created or matched; otherwise null'),
    row: z.int().describe('The place of the row, from 1, in the order in which the operation works on the rows'),
    reservationId: Id.optional().describe('The booking; only for bulk changes of bookings'),
    externalId: z.string().nullable().optional().describe('The identifier of the record in the file; only for imports'),
    outcome: z
      .string()
      .nullable()
      .describe(
        '`done`, `refused` or `unchanged`; for imports `created`, `updated`, `unchanged` or `refused`; `skipped` ' +
          'when the operation ended earlier. null until the row is processed',
      ),
    problems: z.array(z.union([BookingProblem, ColumnProblem])),
    warnings: z.array(BookingProblem),
    from: BookingPlace.optional().describe(
      'The place of the booking before the change; only in processed rows of bulk changes of bookings',
    ),
    to: BookingPlace.nullable()
      .optional()
      .describe(
        'The new place of the booking, in a dry run the one that it would get; null when it is cancelled or stays. A ' +
          'dry run leaves out guests who are not known yet',
      ),
    invoices: z
      .array(
        z.object({
          id: Id.nullable().describe('null in a dry run'),
          payer: PayerView,
          totalCents: Cents,
        }),
      )
      .optional()
      .describe('One invoice for each payer; only for batches of invoices'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'OperationRow' })

/** Returns a row with the names of the interface. */
export function operationRowView(row: RowWithPlaces): z.input<typeof OperationRow> {
  type View = z.input<typeof OperationRow>
  return {
    id: row.id,
    row: row.row,
    outcome: row.outcome,
    ...(row.kind === 'import' ? { externalId: row.externalId } : { reservationId: row.subjectId! }),
    ...(row.from && { from: bookingPlaceView(row.from), to: row.to ? bookingPlaceView(row.to) : null }),
    ...(row.invoices && { invoices: row.invoices as View['invoices'] }),
    problems: row.problems as View['problems'],
    warnings: row.warnings as View['warnings'],
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}
