import { z } from 'zod'
import { findBoard } from '../../shared/dispatch/board.queries.ts'
import { minutesLate } from '../../shared/dispatch/board.rules.ts'
import { staff } from '../../shared/platform/authz/roles.ts'
import type { ReservationRow } from '../../shared/scheduling/reservations/reservation.queries.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, Id, QueryIds } from '../http/schemas.ts'
import { Reservation, reservationView } from '../scheduling/reservations/reservation.view.ts'

/** A line of the board. */
const BoardBooking = Reservation.pick({
  ...{ id: true, title: true, type: true, status: true, start: true, end: true },
  ...{ resource: true, personnel: true, expectedBackAt: true },
})
  .extend({
    minutesLate: z
      .int()
      .min(0)
      .describe('Since it was expected back, or should have left')
      .meta({ examples: [25] }),
  })
  .meta({ id: 'BoardBooking' })

const bookings = z.array(BoardBooking)

const Board = z
  .object({
    out: bookings.describe('Ramped out and not in, by their expected return'),
    late: bookings.describe('Those of `out` past their expected return'),
    due: bookings.describe('Booked today, and past their start'),
    next: bookings.describe('Booked, and starting within four hours'),
    grounded: z.array(
      z.object({ id: Id, name: z.string(), tailNumber: z.string().nullable(), groundedReason: z.string().nullable() }),
    ),
    atRisk: bookings.describe('Bookings of today and tomorrow that would not be accepted any more; none are found yet'),
  })
  .meta({ id: 'Board' })

/** The departure board. Implements interface §Dispatch. */
export const boardRoutes: Routes = (on) => {
  on.get('/board', {
    id: 'readBoard',
    access: staff,
    tag: 'Close-out',
    summary: 'The departure board: who is out, late, due and next, and what is grounded',
    description: 'Of all locations, or of `locationId`. Ground lessons and maintenance do not leave.',
    query: z.object({ locationId: QueryIds.optional() }),
    answers: { 200: envelope(Board) },
    read: async ({ db, actor, now, query }) => {
      const board = await findBoard(db, actor, now, query.locationId ?? null)
      const lines = (rows: readonly ReservationRow[]) =>
        rows.map((row) => ({ ...reservationView(row, actor), minutesLate: minutesLate(row, now) }))
      const { out, late, due, next, grounded } = board
      return ok({ out: lines(out), late: lines(late), due: lines(due), next: lines(next), grounded, atRisk: [] })
    },
  })
}
