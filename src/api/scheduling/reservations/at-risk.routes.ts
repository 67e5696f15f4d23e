import { z } from 'zod'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { type BookingAtRisk, findAtRisk } from '../../../shared/scheduling/at-risk/at-risk.queries.ts'
import { toldOf } from '../../../shared/scheduling/at-risk/at-risk.rules.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, Instant, InstantInput, oneLine, QueryIds } from '../../http/schemas.ts'
import { BookingProblem } from '../rules/problem.view.ts'
import { Reservation, reservationView } from './reservation.view.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 14
const MOST_DAYS = 90

const ReservationAtRisk = Reservation.extend({
  problems: z.array(BookingProblem),
  warnings: z.array(BookingProblem),
  since: Instant.describe('Since when something stands in its way'),
}).meta({ id: 'ReservationAtRisk' })

const AtRiskQuery = ListQuery.extend({
  startDate: InstantInput.optional().describe('Now when left out'),
  endDate: InstantInput.optional().describe(`${USUAL_DAYS} days after the start when left out; at most ${MOST_DAYS}`),
  locationId: QueryIds.optional(),
  rule: oneLine(60).optional().describe('Only those that this rule stands in the way of; `currency` is all currencies'),
})
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate < endDate, {
    path: ['endDate'],
    message: fieldErrors.after({ other: 'startDate' }),
  })
  .refine(
    ({ startDate, endDate }) => !startDate || !endDate || endDate.getTime() - startDate.getTime() <= MOST_DAYS * DAY_MS,
    { path: ['endDate'], message: fieldErrors.daysAfter({ days: MOST_DAYS, other: 'startDate' }) },
  )

/** The endpoint of the bookings at risk: those that would not be accepted today. Implements interface §Dispatch. */
export const atRiskRoutes: Routes = (on) => {
  on.get('/reservations/atRisk', {
    id: 'listReservationsAtRisk',
    access: staff,
    countsTwice: true,
    tag: 'Reservations',
    summary: 'Bookings ahead that would not be accepted today',
    description:
      'Each booking ahead is judged as it stands, at its start, within seconds of a change that concerns it: the aircraft ' +
      'grounded since, a medical that ends before, time off entered later, a closure. Only what blocks puts a booking here; ' +
      '`warnings` stand beside. What was overridden does not count, nor do the rules on who books.',
    query: AtRiskQuery,
    answers: { 200: envelope(z.array(ReservationAtRisk)) },
    read: async ({ db, actor, query, now }) => {
      const { startDate: start = now, locationId: locationIds, rule } = query
      const { endDate = new Date(start.getTime() + USUAL_DAYS * DAY_MS) } = query
      const end = new Date(Math.min(endDate.getTime(), start.getTime() + MOST_DAYS * DAY_MS))
      const found = await findAtRisk(db, actor.organizationId, now, { start, end, locationIds, rule })
      const view = ({ row, since, ...flag }: BookingAtRisk) => ({
        ...reservationView(row, actor),
        ...toldOf(actor, row.seats, flag),
        since: since.toISOString(),
      })
      found.sort((a, b) => a.row.id - b.row.id)
      return page(
        await listPage(
          listOf(found, ({ row }) => row.id),
          query,
          view,
        ),
      )
    },
  })
}
