import { describe, expect } from 'vitest'
import { book, bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, buildPlane, buildSchool, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { asked, buildListedSchool, offer, openingsOf, startsOf } from '../../../support/offerings.ts'

const test = apiTest()
  .extend(
    'listOf',
    ({ api }) =>
      (organizationId: number) =>
        api.call('GET', `/public/organizations/${organizationId}/offerings`),
  )
  .extend(
    'openings',
    ({ api }) =>
      (id: number, query = day) =>
        api.call('GET', `/public/offerings/${id}/openings${query}`),
  )

let school: School
test.beforeEach(async ({ api }) => {
  school = await buildListedSchool(api)
})

const day = '?startDate=2026-11-23T00:00:00Z&endDate=2026-11-24T00:00:00Z'
const missing = 2_000_000_000

describe('the public offerings of a school', () => {
  test('are listed for everybody by name, without who flies them', async ({ api, listOf }) => {
    const tour = await offer(api, school, { name: 'Bay tour', instructorOrgUserIds: [school.instructor.orgUserId] })
    await offer(api, school, { name: 'Closed', active: false })
    await offer(api, school, { name: 'Aerobatics' })
    const response = await listOf(school.organizationId)
    expect(response.json().data.map(({ name }: { name: string }) => name)).toEqual(['Aerobatics', 'Bay tour'])
    expect(response.json().data[1]).toEqual({
      id: tour.id,
      name: 'Bay tour',
      description: null,
      type: 'guest',
      durationMinutes: 60,
      priceCents: 19_900,
      collectionStyle: 'close_out',
      resourceIds: [school.plane.id],
      earliestMinute: null,
      latestMinute: null,
      daylight: false,
      currency: 'usd',
      timeZoneName: 'UTC',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test('are 404 when the school is not listed, switched off or unknown', async ({ api, listOf, openings }) => {
    const hidden = await buildSchool(api)
    const unlisted = await offer(api, hidden)
    const inactive = await offer(api, school, { active: false })
    const bodies = new Set<string>()
    for (const id of [hidden.organizationId, missing]) {
      const response = await listOf(id)
      expect(response.statusCode).toBe(404)
      bodies.add(response.body)
    }
    for (const id of [unlisted.id, inactive.id, missing]) {
      const body = { name: 'Gia', email: 'gia@example.com', phone: '1', start: '2026-11-23T10:00:00Z' }
      for (const response of [
        await openings(id),
        await api.call('POST', `/public/offerings/${id}/requests`, { body }),
      ]) {
        expect(response.statusCode).toBe(404)
        bodies.add(response.body)
      }
    }
    expect(bodies.size).toBe(1)
  })

  test('are hidden with the school and return with it', async ({ api, openings }) => {
    const { id } = await offer(api, school)
    await expectOk(api, school.owner, 'PATCH', '/organizations', { showInDirectory: false })
    expect((await openings(id)).statusCode).toBe(404)
    await expectOk(api, school.owner, 'PATCH', '/organizations', { showInDirectory: true })
    expect((await openings(id)).statusCode).toBe(200)
  })
})

describe('the openings of an offering', () => {
  test('are where its aircraft and an instructor are free together and a booking would be accepted', async ({
    api,
  }) => {
    const offering = await offer(api, school)
    await bookDual(api, school, { start: '2026-11-23T09:00:00Z', end: '2026-11-23T16:30:00Z' })
    const slots = await openingsOf(api, offering)
    // Open from 08:00 to 18:00, taken from 09:00 to 16:30: an hour fits at 08:00 and from 16:30 to 17:00.
    expect(startsOf(slots)).toEqual(['08:00', '16:30', '16:45', '17:00'])
    expect(slots[0]).toEqual({
      start: '2026-11-23T08:00:00.000Z',
      end: '2026-11-23T09:00:00.000Z',
      resource: { id: school.plane.id, name: school.plane.name },
    })
    const body = bookingBody(school, 'guest', {
      start: slots[1]!.start,
      end: slots[1]!.end,
      personnel: { ...seats({ instructors: [school.instructor] }), guests: [{ name: 'Gia' }] },
    })
    expect((await book(api, school.dispatcher, body)).statusCode).toBe(201)
  })

  test('name each free aircraft once, however many instructors are free', async ({ api }) => {
    const second = await buildPlane(api, school, { name: 'Z-plane' })
    await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, school, { start: '2026-11-23T08:00:00Z', end: '2026-11-23T17:00:00Z' })
    const slots = await openingsOf(api, await offer(api, school, { resourceIds: [school.plane.id, second.id] }))
    expect(slots.filter(({ start }) => start.includes('T17:00')).map(({ resource }) => resource.id)).toEqual([
      school.plane.id,
      second.id,
    ])
    expect(new Set(slots.map(({ start, resource }) => `${start} ${resource.id}`)).size).toBe(slots.length)
    expect(startsOf(slots.filter(({ resource }) => resource.id === school.plane.id))).toEqual(['17:00'])
  })

  test('need one of its own instructors when it names some, and never one who is no instructor any more', async ({
    api,
  }) => {
    const named = await buildMember(api, school.organizationId, ['instructor'])
    const offering = await offer(api, school, { instructorOrgUserIds: [named.orgUserId] })
    await expectOk(api, named, 'POST', '/availability/timeOff', {
      start: '2026-11-23T00:00:00Z',
      end: '2026-11-23T16:45:00Z',
    })
    expect(startsOf(await openingsOf(api, offering))).toEqual(['16:45', '17:00'])
    await expectOk(api, school.owner, 'PATCH', `/users/${named.accountId}/roles`, { student: true })
    expect(await openingsOf(api, offering)).toEqual([])
  })

  test('are none in the past, on a grounded aircraft or where one is held', async ({ api }) => {
    const offering = await offer(api, school, { durationMinutes: 15 })
    // Now is noon on the 21st.
    const today = { startDate: '2026-11-21T00:00:00Z', endDate: '2026-11-21T12:45:00Z' }
    expect(startsOf(await openingsOf(api, offering, today))).toEqual(['12:00', '12:15', '12:30'])
    await asked(api, offering, { start: '2026-11-21T12:15:00Z', resource: { id: school.plane.id } })
    expect(startsOf(await openingsOf(api, offering, today))).toEqual(['12:00', '12:30'])
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Tyre',
    })
    expect(await openingsOf(api, offering, today)).toEqual([])
  })

  test('are at most 200', async ({ api }) => {
    const offering = await offer(api, school, { durationMinutes: 15 })
    const month = { startDate: '2026-11-23T00:00:00Z', endDate: '2026-12-24T00:00:00Z' }
    expect(await openingsOf(api, offering, month)).toHaveLength(200)
  })

  test.for([
    ['', 'startDate'],
    ['?startDate=2026-11-23T00:00:00Z', 'endDate'],
    ['?startDate=2026-11-23T10:00&endDate=2026-11-24T00:00:00Z', 'startDate'],
    ['?startDate=2026-11-24T00:00:00Z&endDate=2026-11-23T00:00:00Z', 'endDate'],
    ['?startDate=2026-11-23T00:00:00Z&endDate=2026-12-24T00:00:01Z', 'endDate'],
  ] as const)('are refused for the window %s by field name %s', async ([query, field], { api, openings }) => {
    const response = await openings((await offer(api, school)).id, query)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: `))
  })
})

test('no public answer contains anybody’s name or id or what they booked', async ({ api, listOf, openings }) => {
  const offering = await offer(api, school, { instructorOrgUserIds: [school.instructor.orgUserId] })
  await bookDual(api, school)
  await asked(api, offering, { start: '2026-11-23T16:00:00Z', resource: { id: school.plane.id } })
  const clash = { name: 'Bo', email: 'bo@example.com', phone: '2', resource: { id: school.plane.id } }
  const answers = [
    await listOf(school.organizationId),
    await openings(offering.id),
    ...(await Promise.all(
      ['2026-11-23T10:30:00Z', '2026-11-23T16:30:00Z'].map((start) =>
        api.call('POST', `/public/offerings/${offering.id}/requests`, { body: { ...clash, start } }),
      ),
    )),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 400, 400])
  // A booking and a hold in the way get the same answer.
  expect(answers[2]!.body).toBe(answers[3]!.body)
  const told = answers.map(({ body }) => body).join('\n')
  for (const who of [school.instructor, school.student, school.dispatcher, school.owner]) {
    expect(told).not.toContain(who.name)
    expect(told).not.toContain(who.email)
  }
  expect(told).not.toMatch(/orgUserId|instructor|personnel|reservation|request|details|\bgia\b|lesson|_CLASH/i)
})
