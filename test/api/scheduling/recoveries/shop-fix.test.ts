import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import type { School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { buildTwin } from '../../../support/recoveries.ts'

const test = schoolTest()

const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const shop = (school: School, start: string, end: string) => ({
  title: 'Oil change',
  type: 'maintenance',
  start,
  end,
  timeZoneName: 'UTC',
  resource: { id: school.plane.id },
})

/** Books maintenance that is refused. Returns the fix. */
async function fixOf(api: TestApp, school: School, body: object) {
  const answer = await api.as(school.technician).post('/reservations', body)
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'RESOURCE_CLASH'])
  return answer.json().details.problems[0].fix
}

describe('the fix of maintenance whose time is taken (§Shop slots)', () => {
  test('is the cheapest time in the shop that is free, never another aircraft, and it is accepted', async ({
    api,
    school,
  }) => {
    await buildTwin(api, school)
    await bookDual(api, school, { start: hour(10), end: hour(15) })
    const body = shop(school, hour(11), hour(14))
    const fix = await fixOf(api, school, body)
    // Three hours of work: from 15 to 17, and one on Tuesday morning.
    expect(fix).toMatchObject({ action: 'choose_time', start: hour(15), end: hour(9, 24) })
    const check = await expectOk<{ problems: { fix: object }[] }>(
      api,
      school.technician,
      'POST',
      '/reservations/check',
      body,
    )
    expect(check.problems[0]?.fix).toEqual(fix)
    const { start, end } = fix
    await expectOk(api, school.technician, 'POST', '/reservations', { ...body, start, end })
  })

  test('is the latest hours of a reminder before it is passed, where that costs less', async ({ api, school }) => {
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: '100-hour',
      basis: 'tach',
      intervalHours: 10,
      dueReading: 903,
    })
    await bookDual(api, school, { start: hour(8), end: hour(10) })
    await bookDual(api, school, { start: hour(12), end: hour(14) })
    // The tach is at 900: three hours are left before the first flight, one after it, and the second passes the limit.
    expect(await fixOf(api, school, shop(school, hour(9), hour(10)))).toMatchObject({ start: hour(10), end: hour(11) })
  })

  test('leaves the booking itself out when it is moved', async ({ api, school }) => {
    const { id } = await expectOk<{ id: number }>(
      api,
      school.technician,
      'POST',
      '/reservations',
      shop(school, hour(8), hour(10)),
    )
    await bookDual(api, school, { start: hour(11), end: hour(17) })
    const answer = await api.as(school.technician).patch(`/reservations/${id}`, { start: hour(10), end: hour(12) })
    expect(answer.json().details.problems[0].fix).toMatchObject({
      action: 'choose_time',
      start: hour(8, 24),
    })
  })

  test('is found beside more bookings than a search for slots may displace, since it displaces none', async ({
    api,
    school,
  }) => {
    await api.core.database.pool.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id, created_by, reminded_for)
       select $1, 'Lesson', 'ground', t, t + interval '1 hour', 'UTC', $2, $3, $4, t
       from generate_series('2026-11-23T00:00Z'::timestamptz, '2026-12-02T12:00Z', interval '1 hour') t`,
      [school.organizationId, school.plane.id, school.location.id, school.dispatcher.orgUserId],
    )
    const start = '2026-12-02T13:00:00.000Z'
    expect(await fixOf(api, school, shop(school, hour(9), hour(10)))).toMatchObject({ start })
  })

  test('is none when nothing is free within 14 days', async ({ api, school }) => {
    const annual = shop(school, '2026-11-23T00:00:00Z', '2026-12-20T00:00:00Z')
    await expectOk(api, school.technician, 'POST', '/reservations', annual)
    expect(await fixOf(api, school, shop(school, hour(9), hour(10)))).toBeUndefined()
  })
})
