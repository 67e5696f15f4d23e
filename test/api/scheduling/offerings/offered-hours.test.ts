import { describe, expect } from 'vitest'
import { buildPlane, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { askFor, buildListedSchool, offer, openingsOf, startsOf, TEN } from '../../../support/offerings.ts'

const test = apiTest()

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildListedSchool(api)
})

const hayward = { latitude: 37.659, longitude: -122.122 }
/** Monday at a time in Los Angeles, in UTC: sunrise is at 06:57, sunset at 16:53. */
const at = (time: string) => new Date(`2026-11-23T${time}:00-08:00`).toISOString()
const window = { startDate: '2026-11-23T08:00:00Z', endDate: '2026-11-24T08:00:00Z' }

describe('the hours of an offering', () => {
  test('bound the openings and the requests of guests, by the clock of the location of the aircraft', async ({
    api,
  }) => {
    await expectOk(api, school.admin, 'PATCH', `/locations/${school.location.id}`, { timeZoneName: 'America/Denver' })
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { flyingDayStartMinute: null, flyingDayEndMinute: null },
    })
    // 10:15 to 11:00 in Denver is 17:15 to 18:00 UTC.
    const offering = await offer(api, school, { earliestMinute: 615, latestMinute: 660 })
    expect(startsOf(await openingsOf(api, offering))).toEqual(['17:15', '17:30', '17:45', '18:00'])
    for (const resource of [undefined, { id: school.plane.id }]) {
      const early = await askFor(api, offering, { start: TEN, resource })
      expect([early.statusCode, early.json().message]).toEqual([400, 'start: is outside the hours of this offering'])
    }
    expect((await askFor(api, offering, { start: '2026-11-23T18:00:00Z' })).statusCode).toBe(202)
  })

  test('by daylight are between sunrise and sunset at the location', async ({ api }) => {
    const place = { coordinates: hayward, timeZoneName: 'America/Los_Angeles' }
    await expectOk(api, school.admin, 'PATCH', `/locations/${school.location.id}`, place)
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { flyingDayStartMinute: null, flyingDayEndMinute: null },
    })
    const offering = await offer(api, school, { daylight: true })
    const slots = await openingsOf(api, offering, window)
    expect([slots[0]?.start, slots.at(-1)?.start]).toEqual([at('07:00'), at('15:45')])
    expect((await askFor(api, offering, { start: at('16:00') })).statusCode).toBe(400)
    const open = await askFor(api, offering, { start: at('15:45'), resource: { id: school.plane.id } })
    expect(open.statusCode, open.body).toBe(202)
    // Without coordinates the sun is not known.
    await expectOk(api, school.admin, 'PATCH', `/locations/${school.location.id}`, { coordinates: null })
    expect(await openingsOf(api, offering, window)).toEqual([])
    expect((await askFor(api, offering, { start: at('12:00') })).statusCode).toBe(400)
  })

  test('by daylight need the coordinates of the location of each aircraft', async ({ api }) => {
    const away = await expectOk<School['location']>(api, school.admin, 'POST', '/locations', {
      name: 'Far field',
      address: { country: 'US' },
    })
    const far = await buildPlane(api, { ...school, location: away })
    await expectOk(api, school.admin, 'PATCH', `/locations/${school.location.id}`, { coordinates: hayward })
    const body = { name: 'Tour', durationMinutes: 60, daylight: true }
    const unknown = await api.as(school.admin).post('/offerings', { ...body, resourceIds: [school.plane.id, far.id] })
    expect([unknown.statusCode, unknown.json().message]).toEqual([
      400,
      expect.stringMatching(/^daylight: the location of these aircraft has no coordinates: [^,]+$/),
    ])
    const { id } = await offer(api, school, { daylight: true })
    const patch = (changes: object) => api.as(school.admin).patch(`/offerings/${id}`, changes)
    expect((await patch({ resourceIds: [far.id] })).statusCode).toBe(400)
    expect((await patch({ resourceIds: [far.id], daylight: false })).statusCode).toBe(200)
    expect((await patch({ daylight: true })).statusCode).toBe(400)
    expect((await patch({ name: 'Bay tour', earliestMinute: 480 })).json().data).toMatchObject({
      earliestMinute: 480,
      latestMinute: null,
      daylight: false,
    })
    for (const latestMinute of [480, 300]) {
      const reversed = await patch({ latestMinute })
      expect([reversed.statusCode, reversed.json().message]).toEqual([
        400,
        'latestMinute: must be after earliestMinute',
      ])
    }
    expect((await patch({ latestMinute: 481, earliestMinute: null })).statusCode).toBe(200)
  })
})
