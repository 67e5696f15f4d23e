import { describe, expect } from 'vitest'
import { buildPlane } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface Row {
  reminderId: number
  resourceId: number
  expectedAt: string | null
  reservation: { id: number; start: string } | null
}

const test = schoolTest()

describe('the forecast of reminders (§Maintenance)', () => {
  test('the forecast names when each reminder comes due and the booking that crosses it, the earliest first', async ({
    api,
    school,
  }) => {
    api.clock.now = new Date('2026-11-21T12:00:00Z')
    const add = (body: object, on = school.plane.id) =>
      expectOk<{ id: number }>(api, school.technician, 'POST', '/maintenance/reminders', {
        resource: { id: on },
        ...body,
      })
    const hundred = await add({ name: '100-hour', basis: 'tach', dueReading: 903 })
    const annual = await add({ name: 'Annual', basis: 'calendar', dueAt: '2026-11-22T00:00:00Z' })
    const spare = await buildPlane(api, school)
    const unread = await add({ name: 'Oil', basis: 'tach', intervalHours: 50 }, spare.id)
    const first = await bookDual(api, school, { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' })
    const second = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    const read = (query = '') => expectOk<Row[]>(api, school.dispatcher, 'GET', `/maintenance/forecast${query}`)
    expect(await read()).toMatchObject([
      { reminderId: annual.id, expectedAt: '2026-11-22T00:00:00.000Z', reservation: { id: first } },
      {
        reminderId: hundred.id,
        resourceId: school.plane.id,
        name: '100-hour',
        basis: 'tach',
        dueReading: 903,
        remaining: 3,
        expectedAt: '2026-11-24T11:00:00.000Z',
        reservation: { id: second, start: '2026-11-24T10:00:00.000Z' },
      },
      { reminderId: unread.id, remaining: 50, expectedAt: null, reservation: null },
    ])
    expect((await read(`?resourceId=${spare.id}`)).map(({ reminderId }) => reminderId)).toEqual([unread.id])
    const { statements } = await countStatements(api, () => read())
    expect(statements.filter((text) => /reservation|maintenance/.test(text))).toHaveLength(3)
    expect((await api.as(school.student).get('/maintenance/forecast')).statusCode).toBe(403)
  })

  test('the forecast takes an aircraft’s ratio of flown to booked hours', async ({ api, school }) => {
    // Two hours booked, 1.2 on the tach.
    await closedOutFlight(api, school)
    api.clock.now = new Date('2026-11-23T13:00:00Z')
    const body = { resource: { id: school.plane.id }, name: '100-hour', basis: 'tach', dueReading: 901.8 }
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', body)
    await bookDual(api, school, { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' })
    const [row] = await expectOk<Row[]>(api, school.technician, 'GET', '/maintenance/forecast')
    // 0.6 of 0.6 an hour.
    expect(row?.expectedAt).toBe('2026-11-23T15:00:00.000Z')
  })

  test('the average use per day counts from the first reading, and not before a week has passed', async ({
    api,
    school,
  }) => {
    // 1.2 on the tach.
    await closedOutFlight(api, school)
    const body = { resource: { id: school.plane.id }, name: '100-hour', basis: 'tach', dueReading: 902.4 }
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', body)
    const expectedAt = async (now: string) => {
      api.clock.now = new Date(now)
      return (await expectOk<Row[]>(api, school.technician, 'GET', '/maintenance/forecast'))[0]?.expectedAt
    }
    expect(await expectedAt('2026-11-29T10:00:00Z')).toBeNull()
    // 1.2 are left, at 1.2 in 12 days.
    expect(await expectedAt('2026-12-05T10:00:00Z')).toBe('2026-12-17T10:00:00.000Z')
  })
})
