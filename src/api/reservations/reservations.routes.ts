import { sql } from 'kysely'
import { z } from 'zod'
import { createReservation } from '../../shared/reservations/create-reservation.ts'
import { countReservations, findReservations } from '../../shared/reservations/reservation.queries.ts'
import { reservationCondition } from '../../shared/reservations/reservation-filter.ts'
import { created, ok, page } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { listPage } from '../http/lists.ts'
import { envelope, IdParams, warnings } from '../http/schemas.ts'
import { waitForProcessor } from '../invoices/answer-raised.ts'
import { viewReservation } from './answer-reservation.ts'
import { Reservation, reservationView } from './reservation.view.ts'
import { CreateReservationBody, ReservationListQuery, toCreate } from './reservations.schemas.ts'

const tag = 'Reservations'

export const reservationRoutes: Routes = (on) => {
  on.get('/reservations', {
    who: 'member',
    tag,
    summary: 'Bookings that overlap a window',
    query: ReservationListQuery,
    answers: { 200: envelope(z.array(Reservation)) },
    errors: { 400: 'The range is missing or unparseable' },
    read: async ({ query, actor, services: { database }, now }) => {
      const where = reservationCondition(
        {
          ...query,
          start: query.startDate,
          end: query.endDate,
          resourceIds: query.resourceId,
          locationIds: query.locationId,
          includeCancelled: query.includeCanceled,
        },
        now,
      )
      const orderBy = query.orderBy === 'asc' ? sql`r.starts_at, r.id` : sql`r.starts_at desc, r.id desc`
      const source = {
        slice: (offset: number, limit: number) =>
          findReservations(database, actor.organizationId, { where, orderBy, limit, offset }),
        count: () => countReservations(database, actor.organizationId, where),
      }
      return page(await listPage(source, query, (row) => reservationView(row, actor)))
    },
  })

  on.post('/reservations', {
    who: 'member',
    tag,
    summary: 'Book',
    description:
      'Answers the booking, or the array of a recurring series. A refusal names everyone and everything that stands in ' +
      'the way: `code` is the first problem’s, `details.problems` holds them all. Roles may create: owner, admin and ' +
      'dispatcher every type; instructors solo, dual, ground, guest, sim; students solo, dual, ground, sim; renters ' +
      'rental and shared; technicians maintenance. A prepaid booking’s package is charged to the first person who pays.',
    body: CreateReservationBody,
    answers: { 201: envelope(z.union([Reservation, z.array(Reservation)]), warnings) },
    errors: {
      400: 'A clash, a grounded aircraft or person, a time without offset, a type that the roles do not allow, or any other rule',
      403: 'Students and renters must sit on what they book; where approval is required, send a booking request',
    },
    waits: true,
    write: (tx, { actor, body }) => createReservation(tx, actor, toCreate(body)),
    answer: async ({ ids }, { services, actor, owed }) => {
      await waitForProcessor(services, owed)
      if (ids.length === 1) return created(await viewReservation(services, actor, ids[0]!))
      const rows = await findReservations(services.database, actor.organizationId, {
        where: sql`r.id = any(${ids})`,
        orderBy: sql`r.starts_at, r.id`,
      })
      return created(rows.map((row) => reservationView(row, actor)))
    },
  })

  on.get('/reservations/:id', {
    who: 'member',
    tag,
    summary: 'One booking',
    description: 'With personnel and close-out figures. Who is not staff sees only their own share of the money.',
    params: IdParams,
    answers: { 200: envelope(Reservation) },
    errors: { 404: 'No such booking' },
    read: async ({ services, actor, params }) => ok(await viewReservation(services, actor, params.id)),
  })
}
