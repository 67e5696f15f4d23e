import { describe, expect } from 'vitest'
import { findReservation } from '../../../../src/shared/scheduling/reservations/one-reservation.queries.ts'
import { findFlight } from '../../../../src/shared/scheduling/reservations/reservation.queries.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

const on = (day: number) => ({ start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` })

/** Returns a booking without the columns that connect the rows of a page with their lists. */
function wholeOf(row: object | null): object {
  const { parts: _parts, ...rest } = row as { parts?: unknown }
  return rest
}

/** A booking of each kind: with people and places alone, and with each list that a booking can have besides. */
const test = sharedSchoolTest().extend('ids', { scope: 'file', auto: true }, async ({ api, school }) => {
  const past = (day: number) => ({ start: `2026-11-${day}T10:00:00Z`, end: `2026-11-${day}T12:00:00Z` })
  const cancelled = await bookDual(api, school, on(10))
  await api.as(school.admin).delete(`/reservations/${cancelled}`, { reason: 'Fog', category: 'weather' })
  const flown = await bookDual(api, school, past(19))
  await fly(api, school, flown)
  const shared = await bookDual(api, school, on(11))
  const { db } = api.core.database
  const stake = { organization_id: school.organizationId, reservation_id: shared, position: 0 }
  await db
    .insertInto('payer_stake')
    .values({ ...stake, kind: 'waived', membership_id: school.student.orgUserId })
    .execute()
  return {
    booked: await bookDual(api, school, on(12)),
    elsewhere: await bookDual(api, school, { ...on(13), extra: { notes: 'Bring the plates' } }),
    cancelled,
    shared,
    flown,
    signed: await closedOutFlight(api, school, past(18)),
  }
})

describe('one booking (§Reservation)', () => {
  test.for([
    ['booked', 1],
    ['elsewhere', 1],
    ['cancelled', 1],
    ['shared', 2],
    ['flown', 2],
    ['signed', 2],
  ] as const)(
    'that is %s is read by %i statements, and is the same as in a list',
    async ([name, count], { api, school, ids }) => {
      const { database } = api.core
      const { result, statements } = await countStatements(api, () =>
        findReservation(database, school.organizationId, ids[name]),
      )
      expect(statements).toHaveLength(count)
      const flight = await findFlight(database, school.organizationId, ids[name])
      const whole = wholeOf(flight)

      expect(wholeOf(result)).toEqual(whole)
    },
  )

  test('of another organization is none', async ({ api, school, ids }) => {
    expect(await findReservation(api.core.database, school.organizationId + 1, ids.booked)).toBeNull()
    expect((await api.as(school.student).get(`/reservations/${ids.booked}`)).statusCode).toBe(200)
  })

  test('is the same when it is made and when it is read again', async ({ api, school }) => {
    const made = await expectOk(api, school.admin, 'POST', '/reservations', dualBody(school, on(20)))
    const { id } = made as unknown as { id: number }
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toEqual(made)
  })
})
