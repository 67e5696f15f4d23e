import { z } from 'zod'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { findHistory } from '../../../shared/scheduling/reservations/history.queries.ts'
import { categoryLabel } from '../../../shared/scheduling/reservations/reservation.rules.ts'
import { findMembershipsOf } from '../../../shared/scheduling/reservations/reservation-filter.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams, PathId } from '../../http/schemas.ts'
import { windowOf } from '../../http/windows.ts'
import { HistoryEntry, historyView } from './history.view.ts'
import { listReservations } from './list-reservations.ts'
import { Reservation } from './reservation.view.ts'
import { WindowListQuery } from './reservation-list.schemas.ts'

const tag = 'Reservations'

/**
 * The endpoints that read bookings by resource and by user, their history, and the cancellation categories. Implements
 * interface §Reservations.
 */
export const reservationLookupRoutes: Routes = (on) => {
  on.get('/reservations/resource/:resourceId', {
    id: 'listReservationsOfResource',
    access: 'member',
    tag,
    summary: 'List the bookings of a resource',
    description:
      'Lists the bookings of a resource that overlap the window, the latest start first. Both dates are optional; ' +
      'a page has at most 1,000 bookings.',
    params: z.object({ resourceId: PathId }),
    query: WindowListQuery,
    answers: { 200: envelope(z.array(Reservation)) },
    read: async ({ params, query, actor, db, services, now }) => {
      await findResource(db, actor.organizationId, params.resourceId)
      const filter = {
        ...windowOf(query, actor),
        includeCancelled: query.includeCanceled,
        resourceIds: [params.resourceId],
      }
      return page(await listReservations(services, actor, now, filter, query))
    },
  })

  on.get('/reservations/user/:userId', {
    id: 'listReservationsOfUser',
    access: 'member',
    tag,
    summary: 'List the bookings of a user',
    description:
      'Lists the bookings of this organization that a user is on, the latest start first. `userId` is the id of ' +
      'the user, not the `orgUserId`. Both dates are optional; a page has at most 1,000 bookings.',
    params: z.object({ userId: PathId }),
    query: WindowListQuery,
    answers: { 200: envelope(z.array(Reservation)) },
    read: async ({ params, query, actor, db, services, now }) => {
      const { organizationId } = actor
      const seated = [{ organizationId, orgUserIds: await findMembershipsOf(db, organizationId, params.userId) }]
      const filter = { ...windowOf(query, actor), includeCancelled: query.includeCanceled, seated }
      return page(await listReservations(services, actor, now, filter, query))
    },
  })

  on.get('/reservations/:id/history', {
    id: 'listReservationHistory',
    access: staff,
    tag,
    summary: 'List the history of a booking',
    description:
      'Lists the changes of a booking, the oldest first: by whom, when and why, with the values before and after.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(HistoryEntry)) },
    errors: [schedulingErrors.noSuchBooking],
    read: async ({ params, query, actor, db }) => {
      const entries = listOf(await findHistory(db, actor.organizationId, params.id), ({ id }) => id)
      return page(await listPage(entries, query, historyView))
    },
  })

  on.get('/reports/cancellations/categories', {
    id: 'listCancellationCategories',
    computed: true,
    access: 'member',
    tag: 'Reports',
    summary: 'List the categories of cancellations',
    description: 'Lists the organization’s categories of cancellations with their labels.',
    answers: { 200: envelope(z.array(Category)) },
    read: async ({ actor }) =>
      ok(actor.organization.settings.cancellationCategories.map((key) => ({ key, label: categoryLabel(key) }))),
  })
}

const Category = z.object({
  key: z.string(),
  label: z.string(),
})
