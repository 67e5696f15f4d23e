import { z } from 'zod'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff, staff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { type BookingAtRisk, findAtRisk } from '../../../shared/scheduling/at-risk/at-risk.queries.ts'
import { notifiedOf } from '../../../shared/scheduling/at-risk/at-risk.rules.ts'
import { findOtherResources } from '../../../shared/scheduling/at-risk/find-other-resources.ts'
import { recoveryRequest } from '../../../shared/scheduling/recoveries/recovery-request.rules.ts'
import type { Fix } from '../../../shared/scheduling/rules/problems.ts'
import { isRule, ruleCatalogue } from '../../../shared/scheduling/rules/rule-catalogue.rules.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { suggestedRecovery } from '../../http/recovery-request.ts'
import { envelope, Instant, QueryIds, queryTexts, queryWords } from '../../http/schemas.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { choicesNamed } from '../../http/wording.ts'
import { BookingProblem } from '../rules/problem.view.ts'
import { Reservation, reservationView } from './reservation.view.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 14
const MOST_DAYS = 90

const ReservationAtRisk = Reservation.extend({
  problems: z.array(BookingProblem),
  warnings: z.array(BookingProblem),
  recovery: suggestedRecovery,
  since: Instant.describe('Since when the booking would be refused; when it only has warnings, since when it has any'),
}).meta({ id: 'ReservationAtRisk' })

const ruleNames = choicesNamed([...Object.keys(ruleCatalogue), 'currency', 'currency:<id>'])

const AtRiskQuery = ListQuery.extend({
  startDate: openWindow.startDate.describe(
    'The start of the window: a day of the organization’s time zone, or an instant with an offset. Absent: now',
  ),
  endDate: openWindow.endDate.describe(
    'The end of the window: a day, which is included, or an instant, which is not; at most ' +
      `${MOST_DAYS} days after its start. Absent: ${USUAL_DAYS} days after its start`,
  ),
  locationId: QueryIds.optional(),
  rule: queryTexts(60)
    .refine((rules) => rules.every(isRule), fieldErrors.someOf({ choices: ruleNames }))
    .optional()
    .describe(
      'Only bookings that one of these rules blocks, or warns about when they have only warnings; `currency` means ' +
        'every currency',
    ),
  include: queryWords(['warnings'])
    .default([])
    .describe(
      '`warnings`: also the bookings that would be accepted today, but with warnings, of which nobody is notified',
    ),
})

/** Returns the request that plans another place for one booking. */
function requestFor({ id, starts_at: start, ends_at: end }: BookingAtRisk['row']) {
  return recoveryRequest({ cause: { reservationIds: [id] }, start, end })
}

/** Returns the function that shows a booking at risk to a reader. `fixes` are for all problems of a booking, by its id. */
function viewOf(actor: Actor, now: Date, fixes: ReadonlyMap<number, Fix> = new Map()) {
  return ({ row, since, ...flag }: BookingAtRisk): z.input<typeof ReservationAtRisk> => {
    const { problems, warnings } = notifiedOf(actor, row.seats, flag)
    const fix = fixes.get(row.id)
    return {
      ...reservationView(row, actor, now),
      problems: fix ? problems.map((problem) => ({ ...problem, fix })) : problems,
      warnings,
      ...(is(actor, deskStaff) && problems.length > 0 && { recovery: requestFor(row) }),
      since: since.toISOString(),
    }
  }
}

/**
 * The endpoint of the bookings at risk, which are bookings that would be refused today. Implements interface §Dispatch.
 */
export const atRiskRoutes: Routes = (on) => {
  on.get('/reservations/atRisk', {
    id: 'listReservationsAtRisk',
    access: staff,
    countsTwice: true,
    tag: 'Reservations',
    summary: 'List the bookings at risk',
    description:
      'Lists future bookings that would be refused today. A booking is checked as it is stored, for its start ' +
      'time, within seconds of a change that concerns it, such as a grounded aircraft, a medical that expires ' +
      'before the start, time off or a closure. Problems that are overridden do not count. Not checked are the ' +
      'rules about who may book, balances, declined payments and weather limits. A `fix` is another resource that ' +
      'is free at the time (`choose_resource`), or a missing record. Other times are not searched: ask `GET ' +
      '/reservations/openings`. Counts as two requests against the limit per minute.',
    query: AtRiskQuery,
    answers: { 200: envelope(z.array(ReservationAtRisk)) },
    read: async ({ db, actor, query, now }) => {
      const { locationId: locationIds, rule: rules } = query
      const withWarnings = query.include.includes('warnings')
      const limits = windowOf(query, actor, { mostDays: MOST_DAYS })
      const { start = now } = limits
      const { end: wanted = new Date(start.getTime() + USUAL_DAYS * DAY_MS) } = limits
      // Without a start, the end can be far ahead.
      const end = limits.start ? wanted : new Date(Math.min(wanted.getTime(), start.getTime() + MOST_DAYS * DAY_MS))
      const found = await findAtRisk(db, actor.organizationId, now, { start, end, locationIds, rules, withWarnings })
      found.sort((a, b) => a.row.id - b.row.id)
      const source = listOf(found, ({ row }) => row.id)
      const listed = await listPage(source, query, viewOf(actor, now))
      const problems = listed.rows.map(({ row, ...flag }) => ({ row, ...notifiedOf(actor, row.seats, flag) }))
      return page({ ...listed, view: viewOf(actor, now, await findOtherResources(db, actor, now, problems)) })
    },
  })
}
