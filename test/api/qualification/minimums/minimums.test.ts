import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import type { School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const none = { ceilingFeet: null, visibilityMiles: null, windKnots: null, gustKnots: null, crosswindKnots: null }

const test = schoolTest()

const address = (school: School) => `/orgUsers/${school.student.orgUserId}/minimums`

describe('the weather limits of a member (interface §Members)', () => {
  test('are set as a whole, and read by the member and staff', async ({ api, school }) => {
    expect(await expectOk(api, school.student, 'GET', address(school))).toEqual({
      orgUserId: school.student.orgUserId,
      ...none,
      createdAt: null,
      updatedAt: null,
    })
    const first = { ceilingFeet: 3_000, visibilityMiles: 5.25, gustKnots: 16 }
    expect(await expectOk(api, school.instructor, 'PUT', address(school), first)).toMatchObject({ ...none, ...first })
    await expectOk(api, school.admin, 'PUT', address(school), { windKnots: 12 })
    const read = await expectOk(api, school.dispatcher, 'GET', address(school))
    expect(read).toMatchObject({ ...none, windKnots: 12, createdAt: expect.any(String), updatedAt: expect.any(String) })
    const events = await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=minimums.changed')
    expect(events).toContainEqual(
      expect.objectContaining({
        before: { ...none, ...first },
        after: { ...none, windKnots: 12 },
      }),
    )
  })

  test.for([{ ceilingFeet: -1 }, { visibilityMiles: 0.1 }, { windKnots: 100 }, { gustKnots: 1.5 }])(
    'are refused out of range: %j',
    async (body, { api, school }) => {
      expect((await api.as(school.instructor).put(address(school), body)).statusCode).toBe(400)
    },
  )
})

/** What the station of the school's airport reports of eleven in the morning. */
async function report(api: TestApp, weather: string) {
  await api.core.database.pool.query(
    `insert into weather_station (station, metar, fetched_at) values ('KHWD', $1, $2)
      on conflict (station) do update set metar = excluded.metar, fetched_at = excluded.fetched_at`,
    [`METAR KHWD 211154Z 28008KT ${weather} 18/11 A3002`, api.clock.now],
  )
}

describe('the rule pilot_minimums (interface §Booking rules)', () => {
  test('is asked by a booking, a series, a move, an approval, a search for openings and a release', async ({
    api,
    school,
  }) => {
    const settings = { approvalRequired: { student: true }, dispatchChecks: 'block' }
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings })
    await expectOk(api, school.instructor, 'PUT', address(school), { ceilingFeet: 3_000 })
    await expectOk(api, school.admin, 'PATCH', '/rules/pilot_minimums', { enforcement: 'block' })
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'off' })
    const solo = (from: string, to: string, extra: object = {}) =>
      bookingBody(school, 'solo', {
        personnel: seats({ students: [school.student] }),
        start: `2026-11-21T${from}:00Z`,
        end: `2026-11-21T${to}:00Z`,
        ...extra,
      })
    const asDesk = api.as(school.dispatcher)
    const refused = { code: 'BELOW_MINIMUMS', details: { problems: [{ rule: 'pilot_minimums' }] } }

    await report(api, '10SM OVC008')
    const now = solo('12:30', '13:30')
    expect((await asDesk.post('/reservations', now)).json()).toMatchObject({
      ...refused,
      message: `The weather at KHWD is outside of the limits of ${school.student.name}: ceiling 800 ft, at least 3000 ft`,
    })
    const recurrence = { frequency: 'daily', count: 2 }
    const series = solo('12:30', '13:30', { recurrence })
    expect((await asDesk.post('/reservations', series)).json()).toMatchObject({
      details: { problems: [{ rule: 'pilot_minimums', start: '2026-11-21T12:30:00.000Z' }] },
    })
    // In the afternoon nobody knows yet, and nothing is asked.
    const { id } = await expectOk<{ id: number }>(
      api,
      school.dispatcher,
      'POST',
      '/reservations',
      solo('15:00', '16:00'),
    )
    const earlier = { start: '2026-11-21T13:00:00Z', end: '2026-11-21T14:00:00Z' }
    expect((await asDesk.patch(`/reservations/${id}`, earlier)).json()).toMatchObject(refused)
    const request = await expectOk<{ id: number }>(api, school.student, 'POST', '/booking-requests', now)
    expect((await asDesk.post(`/booking-requests/${request.id}/approve`, {})).json()).toMatchObject(refused)
    const window = 'startDate=2026-11-21T13:00:00Z&endDate=2026-11-21T14:00:00Z&durationMinutes=60&type=solo'
    const openings = `/reservations/openings?${window}`
    expect(await expectOk(api, school.student, 'GET', openings)).toEqual([])
    const release = () =>
      expectOk<{ verdict: string; checks: object[] }>(api, school.student, 'GET', `/reservations/${id}/release`)
    expect(await release()).toMatchObject({ verdict: 'blocked' })
    expect((await release()).checks).toContainEqual(
      expect.objectContaining({ rule: 'pilot_minimums', status: 'block', code: 'BELOW_MINIMUMS' }),
    )

    await report(api, '10SM BKN030')
    expect((await release()).checks).toContainEqual(expect.objectContaining({ rule: 'pilot_minimums', status: 'ok' }))
    expect((await asDesk.patch(`/reservations/${id}`, earlier)).statusCode).toBe(200)
  })

  test('is lifted by the instructor aboard, overridden by an instructor, and warns without a report', async ({
    api,
    school,
  }) => {
    await api.core.database.pool.query('delete from weather_station')
    await expectOk(api, school.instructor, 'PUT', address(school), { visibilityMiles: 6 })
    await expectOk(api, school.admin, 'PATCH', '/rules/pilot_minimums', { enforcement: 'block' })
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'off' })
    const times = { start: '2026-11-21T12:30:00Z', end: '2026-11-21T13:30:00Z' }
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }), ...times })
    const dual = bookingBody(school, 'dual', {
      personnel: seats({ students: [school.student], instructors: [school.instructor] }),
      ...times,
    })
    const check = (body: object) => expectOk(api, school.instructor, 'POST', '/reservations/check', body)
    expect(await check(solo)).toMatchObject({
      ok: true,
      warnings: [
        {
          rule: 'pilot_minimums',
          code: 'BELOW_MINIMUMS',
          overridable: false,
          message: `There is no weather report to check the limits of ${school.student.name}`,
        },
      ],
    })
    await report(api, '4SM HZ CLR')
    expect(await check(solo)).toMatchObject({ ok: false, problems: [{ overridable: true }] })
    expect(await check(dual)).toMatchObject({ ok: true, warnings: [] })
    const overrides = [{ rule: 'pilot_minimums', reason: 'Stays in the pattern with me on the radio' }]
    expect(await check({ ...solo, overrides })).toMatchObject({ ok: true, problems: [], warnings: [] })
  })
})
