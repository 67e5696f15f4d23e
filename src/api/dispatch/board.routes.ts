import { z } from 'zod'
import { findBoard } from '../../shared/dispatch/board.queries.ts'
import { minutesLate } from '../../shared/dispatch/board.rules.ts'
import { noShowAhead } from '../../shared/dispatch/no-show.rules.ts'
import { staff } from '../../shared/platform/authz/roles.ts'
import { notifiedOf } from '../../shared/scheduling/at-risk/at-risk.rules.ts'
import type { ReservationRow } from '../../shared/scheduling/reservations/reservation.queries.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { iso } from '../http/iso.ts'
import { envelope, Id, Instant, QueryIds } from '../http/schemas.ts'
import { Reservation, reservationView } from '../scheduling/reservations/reservation.view.ts'
import { BookingProblem } from '../scheduling/rules/problem.view.ts'

/** A booking on the departure board. */
const BoardBooking = Reservation.pick({
  id: true,
  title: true,
  type: true,
  status: true,
  start: true,
  end: true,
  resource: true,
  personnel: true,
  expectedBackAt: true,
})
  .extend({
    minutesLate: z
      .int()
      .min(0)
      .describe(
        'Whole minutes since the expected return; before ramp-out, since the booked start. 0 when that time is in ' +
          'the future',
      ),
    noShowAt: Instant.nullable().describe('In `due`: when it is cancelled'),
  })
  .meta({ id: 'BoardBooking' })

const bookings = z.array(BoardBooking)

const Board = z
  .object({
    out: bookings.describe('Flights that are ramped out and not ramped in, by expected return'),
    late: bookings.describe('The flights of `out` that are past their expected return'),
    due: bookings.describe('Bookings of today that are past their start and not ramped out'),
    next: bookings.describe('Bookings that start within four hours and are not ramped out'),
    grounded: z.array(
      z.object({ id: Id, name: z.string(), tailNumber: z.string().nullable(), groundedReason: z.string().nullable() }),
    ),
    atRisk: z
      .array(BoardBooking.extend({ problems: z.array(BookingProblem) }))
      .describe(
        'Bookings that start between now and the end of tomorrow and would be refused today, each with the reasons',
      ),
  })
  .meta({ id: 'Board' })

/** The endpoint of the departure board. Implements interface §Dispatch. */
export const boardRoutes: Routes = (on) => {
  on.get('/board', {
    id: 'readBoard',
    access: staff,
    tag: 'Close-out',
    summary: 'Read the departure board',
    description:
      'Returns the flights that are out, late, due and next, the grounded resources, and the bookings at risk, for ' +
      'all locations or for those in `locationId`. Ground lessons, maintenance and bookings of rooms are not ' +
      'listed as flights.',
    query: z.object({ locationId: QueryIds.optional() }),
    answers: { 200: envelope(Board) },
    read: async ({ db, actor, now, query }) => {
      const { noShowMinutes } = actor.organization.settings
      const board = await findBoard(db, actor, now, query.locationId ?? null)
      const line = (row: ReservationRow) => ({
        ...reservationView(row, actor, now),
        minutesLate: minutesLate(row, now),
        noShowAt: iso(noShowAhead(row, noShowMinutes, now)),
      })
      const { out, late, due, next, grounded, atRisk } = board
      return ok({
        out: out.map(line),
        late: late.map(line),
        due: due.map(line),
        next: next.map(line),
        grounded,
        atRisk: atRisk.map(({ row, ...flag }) => ({
          ...line(row),
          problems: notifiedOf(actor, row.seats, flag).problems,
        })),
      })
    },
  })
}
