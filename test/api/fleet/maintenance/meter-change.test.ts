import { describe, expect } from 'vitest'
import { buildRoom, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk } from '../../../support/flights.ts'

interface Limit {
  dueReading: number
  lastDoneReading: number
  remaining: number
}

const test = schoolTest().extend(
  'change',
  ({ api, school }) =>
    (body: object = {}, who: Member = school.technician) =>
      api.as(who).post(`/resources/${school.plane.id}/meterChange`, {
        meter: 'tach',
        oldReading: 900,
        newReading: 0,
        reason: 'It stuck',
        ...body,
      }),
)

/** Hobbs 1000.00, tach 900.00. */
test.beforeEach(({ api }) => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
})

describe('replacing a meter (§Resources)', () => {
  test('is refused for a meter that the resource does not have', async ({ api, school }) => {
    const room = await buildRoom(api, school)
    const body = { meter: 'hobbs', oldReading: 0, newReading: 0, reason: 'It stuck' }
    const refused = await api.as(school.technician).post(`/resources/${room.id}/meterChange`, body)
    expect([refused.statusCode, refused.json().message]).toEqual([400, `meter: ${room.name} has no hobbs`])
  })

  test('keeps what remains of each interval, and moves what it counts from', async ({ api, school, change }) => {
    const item = {
      resource: { id: school.plane.id },
      name: '100-hour',
      limits: [
        { basis: 'tach', intervalHours: 100, lastDoneReading: 850 },
        { basis: 'hobbs', intervalHours: 100, lastDoneReading: 950 },
      ],
    }
    const { id } = await expectOk<{ id: number }>(api, school.technician, 'POST', '/maintenance/reminders', item)
    const changed = await change({ oldReading: 901.5, newReading: 0.5 })
    expect(changed.json().data).toMatchObject({ hobbsTime: 1000, tachTime: 0.5 })
    const { limits } = await expectOk<{ limits: Limit[] }>(api, school.student, 'GET', `/maintenance/reminders/${id}`)
    expect(limits).toMatchObject([
      { basis: 'hobbs', lastDoneReading: 950, dueReading: 1050, remaining: 50 },
      { basis: 'tach', lastDoneReading: -51, dueReading: 49, remaining: 48.5 },
    ])
    const done = await expectOk<{ dueReading: number }>(
      api,
      school.technician,
      'POST',
      `/maintenance/reminders/${id}/complete`,
    )
    expect(done).toMatchObject({ limits: [{ dueReading: 1100 }, { dueReading: 100.5 }] })
  })

  test('is refused below what the meter reads, and for meters that are not there', async ({ change }) => {
    expect((await change({ oldReading: 899.99 })).json().message).toBe('oldReading: the meter reads 900.00 already')
    expect((await change({ meter: 'landings' })).statusCode).toBe(400)
    expect((await change({ reason: ' ' })).statusCode).toBe(400)
  })

  test('waits until the aircraft is back, and no flight begins meanwhile', async ({ api, school, change }) => {
    const id = await bookDual(api, school)
    const out = () =>
      api.as(school.instructor).post(`/reservations/${id}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
    const [left, replaced] = await Promise.all([out(), change()])
    expect(left.statusCode).toBe(200)
    // The one that came second saw the other: the aircraft is not out by a meter that is gone before it left.
    const refused = replaced.statusCode === 409 ? replaced : await change({ oldReading: 900 })
    expect(refused.json()).toMatchObject({ code: 'RESOURCE_OUT', details: { reservationId: id } })
  })

  test('leaves the readings, the log and the times of flights as they were, and a correction of one moves nothing', async ({
    api,
    school,
    change,
  }) => {
    const id = await closedOutFlight(api, school)
    const before = await expectOk<Record<string, unknown>>(api, school.admin, 'GET', `/reservations/${id}`)
    expect((await change({ oldReading: 901.2, newReading: 901.2 })).statusCode).toBe(200)
    expect((await change({ meter: 'hobbs', oldReading: 1001.4, newReading: 1001.4 })).statusCode).toBe(200)
    const { updatedAt: _at, ...same } = before
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject(same)
    const corrected = await api.as(school.dispatcher).post(`/reservations/${id}/updateReviewTimes`, {
      hobbsTimeOut: 1000,
      hobbsTimeIn: 1001.5,
    })
    expect(corrected.json().meter).toMatchObject({ followed: false, aircraftHobbs: 1001.4, aircraftTach: 901.2 })
  })
})
