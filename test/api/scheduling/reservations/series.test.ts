import { describe, expect } from 'vitest'
import { book, refusedBooking } from '../../../support/booking.ts'
import type { Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'
import { countStatements } from '../../../support/statements.ts'

const test = schoolTest({ school: { timeZoneName: 'America/New_York' } })
  .extend(
    'newYork',
    ({ school }) =>
      (start: string, end: string, recurrence: object) =>
        dualBody(school, { start, end, extra: { timeZoneName: 'America/New_York', recurrence } }),
  )
  .extend(
    'series',
    ({ api, school }) =>
      (body: unknown) =>
        expectOk<Booking[]>(api, school.dispatcher, 'POST', '/reservations', body),
  )
  .extend('countBookings', ({ api, school }) => async () => {
    const { rows } = await api.core.database.pool.query<{ n: number }>(
      'select count(*)::int as n from reservation where organization_id = $1',
      [school.organizationId],
    )
    return rows[0]!.n
  })
  .extend(
    'cancel',
    ({ api }) =>
      (who: Pick<Member, 'token'>, id: number, body: unknown = cancellation) =>
        api.as(who).delete(`/reservations/series/${id}`, body),
  )
  .extend('statuses', ({ api, school }) => async (made: Booking[]) => {
    const rows = await Promise.all(
      made.map(({ id }) => expectOk<Booking>(api, school.admin, 'GET', `/reservations/${id}`)),
    )
    return rows.map(({ status }) => status)
  })

const cancellation = { reason: 'The student has moved away', category: 'student' }

interface Booking {
  id: number
  start: string
  end: string
  status: string
  series: { id: number; index: number; count: number }
}

describe('a series (§Reservations, POST)', () => {
  test('keeps its local wall time when the clocks go back, and numbers its bookings from 1', async ({
    newYork,
    series,
  }) => {
    // Daylight saving ends on 7 November 2027: 10:00 is 14:00 UTC before it and 15:00 after.
    const body = newYork('2027-11-05T10:00:00-04:00', '2027-11-05T12:00:00-04:00', { frequency: 'daily', count: 4 })
    const made = await series(body)
    expect(made.map(({ start }) => start)).toEqual([
      '2027-11-05T14:00:00.000Z',
      '2027-11-06T14:00:00.000Z',
      '2027-11-07T15:00:00.000Z',
      '2027-11-08T15:00:00.000Z',
    ])
    const { id } = made[0]!.series
    expect(made.map((booking) => booking.series)).toEqual([1, 2, 3, 4].map((index) => ({ id, index, count: 4 })))
  })

  test('moves forward by the gap a wall time that the clocks skip', async ({ newYork, series }) => {
    // On 14 March 2027 New York has no 02:30; 03:30 EDT is 07:30 UTC.
    const body = newYork('2027-03-13T02:30:00-05:00', '2027-03-13T03:30:00-05:00', { frequency: 'daily', count: 3 })
    expect((await series(body)).map(({ start }) => start)).toEqual([
      '2027-03-13T07:30:00.000Z',
      '2027-03-14T07:30:00.000Z',
      '2027-03-15T06:30:00.000Z',
    ])
  })

  test('takes the first of a wall time that the clocks double', async ({ newYork, series }) => {
    // On 7 November 2027 New York has 01:30 twice: the first is EDT, 05:30 UTC.
    const body = newYork('2027-11-06T01:30:00-04:00', '2027-11-06T02:00:00-04:00', { frequency: 'daily', count: 3 })
    expect((await series(body)).map(({ start }) => start)).toEqual([
      '2027-11-06T05:30:00.000Z',
      '2027-11-07T05:30:00.000Z',
      '2027-11-08T06:30:00.000Z',
    ])
  })

  test('runs on its days of the week until an instant, inclusive', async ({ newYork, series }) => {
    const body = newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', {
      frequency: 'weekly',
      daysOfWeek: [1, 4],
      until: '2026-12-03T15:00:00Z',
    })
    expect((await series(body)).map(({ start }) => start.slice(0, 10))).toEqual([
      '2026-11-23',
      '2026-11-26',
      '2026-11-30',
      '2026-12-03',
    ])
  })

  test('is all or nothing: one booking that clashes refuses it with the dates', async ({
    api,
    school,
    newYork,
    countBookings,
  }) => {
    const other = await bookDual(api, school, { start: '2026-12-07T16:00:00Z', end: '2026-12-07T18:00:00Z' })
    const body = newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', { frequency: 'weekly', count: 5 })
    const response = await book(api, school.dispatcher, body)
    expect(response.statusCode).toBe(400)
    const { code, message, details } = response.json()
    expect(code).toBe('RESOURCE_CLASH')
    expect(message).toContain('1 of 5 bookings of the series cannot be made (2026-12-07)')
    expect(details.problems[0]).toMatchObject({ index: 3, start: '2026-12-07T15:00:00.000Z', reservationId: other })
    expect(await countBookings()).toBe(1)
  })

  test('is notified once, by its first booking', async ({ api, newYork, series }) => {
    await clearOutbox(api)
    const [first] = await series(
      newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', { frequency: 'daily', count: 5 }),
    )
    expect(await owedNotifications(api)).toMatchObject([{ kind: 'reservation_created', subjectId: first!.id }])
  })

  test('of 104 bookings takes no more statements than one of 2', async ({ api, newYork, series }) => {
    const make = (count: number, start: string) =>
      countStatements(api, () =>
        series(newYork(`${start}T15:00:00Z`, `${start}T17:00:00Z`, { frequency: 'daily', count })),
      )
    await make(2, '2027-01-01')
    const few = await make(2, '2027-02-01')
    const many = await make(104, '2027-03-01')
    expect(many.result).toHaveLength(104)
    expect(many.statements.length).toBe(few.statements.length)
  })

  test('is ramped and read booking by booking, each by its own id', async ({ api, school, newYork, series }) => {
    const made = await series(newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', { frequency: 'daily', count: 2 }))
    await fly(api, school, made[1]!.id)
    const read = (id: number) => expectOk<Booking>(api, school.student, 'GET', `/reservations/${id}`)
    expect([(await read(made[0]!.id)).status, (await read(made[1]!.id)).status]).toEqual(['booked', 'ramped_in'])
  })

  test.for<[string, object, string]>([
    ['neither count nor until', { frequency: 'weekly' }, 'recurrence.count: give exactly one of count and until'],
    [
      'both',
      { frequency: 'weekly', count: 2, until: '2027-01-01T00:00:00Z' },
      'recurrence.count: give exactly one of count and until',
    ],
    ['105 bookings', { frequency: 'daily', count: 105 }, 'recurrence.count: must be at most 104'],
    [
      'more than 104 until then',
      { frequency: 'daily', until: '2027-11-23T00:00:00Z' },
      'recurrence.until: makes more than 104 bookings',
    ],
    [
      'an end before the second',
      { frequency: 'weekly', until: '2026-11-24T00:00:00Z' },
      'recurrence.until: leaves no second booking',
    ],
    [
      'days of a daily series',
      { frequency: 'daily', daysOfWeek: [1], count: 2 },
      'recurrence.daysOfWeek: is for weekly series',
    ],
    [
      'an unknown frequency',
      { frequency: 'yearly', count: 2 },
      'recurrence.frequency: must be one of daily, weekly, monthly',
    ],
  ])('with %s is refused', async ([_what, recurrence, message], { api, school, newYork }) => {
    const response = await book(
      api,
      school.dispatcher,
      newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', recurrence),
    )
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(message)
  })

  test('whose bookings run into each other is refused', async ({ api, school, newYork }) => {
    const body = newYork('2026-11-23T15:00:00Z', '2026-11-24T16:00:00Z', { frequency: 'daily', count: 3 })
    expect(await refusedBooking(api, school.dispatcher, body)).toMatchObject([{ field: 'recurrence.interval' }])
  })
})

describe('the rest of a series', () => {
  let made: Booking[]
  test.beforeEach(async ({ newYork, series }) => {
    made = await series(newYork('2026-11-23T15:00:00Z', '2026-11-23T17:00:00Z', { frequency: 'weekly', count: 4 }))
  })

  test('is cancelled from an index on by somebody on it, with one notification', async ({
    api,
    school,
    cancel,
    statuses,
  }) => {
    await clearOutbox(api)
    const response = await cancel(school.student, made[0]!.series.id, { ...cancellation, from: 3 })
    expect(response.statusCode, response.body).toBe(204)
    expect(await statuses(made)).toEqual(['booked', 'booked', 'cancelled', 'cancelled'])
    expect(await owedNotifications(api)).toMatchObject([{ kind: 'reservation_cancelled', subjectId: made[2]!.id }])
  })

  test('starts with the next booking when no index is given', async ({ api, school, cancel, statuses }) => {
    api.clock.now = new Date('2026-11-25T12:00:00Z')
    expect((await cancel(school.admin, made[0]!.series.id)).statusCode).toBe(204)
    expect(await statuses(made)).toEqual(['booked', 'cancelled', 'cancelled', 'cancelled'])
    api.clock.now = new Date('2026-11-21T12:00:00Z')
  })

  test('leaves what has flown unchanged', async ({ api, school, cancel, statuses }) => {
    await fly(api, school, made[0]!.id)
    expect((await cancel(school.admin, made[0]!.series.id, { ...cancellation, from: 1 })).statusCode).toBe(204)
    expect(await statuses(made)).toEqual(['ramped_in', 'cancelled', 'cancelled', 'cancelled'])
    const again = await cancel(school.admin, made[0]!.series.id, { ...cancellation, from: 1 })
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: 'The series has no booking left to cancel.', code: 'NOT_PENDING' },
    ])
  })

  test('is cancelled whole or not at all: one booking that is too late refuses it', async ({
    api,
    school,
    cancel,
    statuses,
  }) => {
    const { organizationId } = school
    await api.core.database.db
      .updateTable('organization')
      .set({ settings: { cancellationNoticeHours: 72 } })
      .where('id', '=', organizationId)
      .execute()
    const response = await cancel(school.instructor, made[0]!.series.id, { ...cancellation, from: 1 })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(
      /^2026-11-23: It is too late to cancel: this must be done 72 hours before the start/,
    )
    expect(new Set(await statuses(made))).toEqual(new Set(['booked']))
  })

  test.for<[string, object, RegExp]>([
    ['an unknown category', { reason: 'X', category: 'boredom' }, /^category: must be one of weather, /],
    ['no reason', { category: 'weather' }, /^reason: /],
    ['an index of 0', { reason: 'X', category: 'weather', from: 0 }, /^from: /],
  ])('is 400 for %s', async ([_what, body, message], { school, cancel }) => {
    const response = await cancel(school.admin, made[0]!.series.id, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(message)
  })
})
