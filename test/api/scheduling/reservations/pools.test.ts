import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildAskedSchool, requestBody } from '../../../support/booking-requests.ts'
import { buildLocation, buildMember, buildPlane, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface Booked {
  id: number
  start: string
  resource: { id: number; pool: string | null }
  location: { id: number }
}

/** Puts the school's plane and two others into the pool Trainers; returns their ids in order. */
async function poolOf(api: TestApp, school: School): Promise<number[]> {
  const others = [await buildPlane(api, school), await buildPlane(api, school)]
  const ids = [school.plane.id, ...others.map(({ id }) => id)]
  for (const id of ids) {
    await expectOk(api, school.admin, 'PATCH', `/resources/${id}`, { type: { plane: {} }, pool: 'Trainers' })
  }
  return ids
}

const soloBody = (orgUserId: number, extra: object = {}) => ({
  title: 'Solo',
  type: 'solo',
  start: '2026-11-23T10:00:00Z',
  end: '2026-11-23T12:00:00Z',
  timeZoneName: 'UTC',
  resource: { pool: 'trainers' },
  personnel: { students: [{ orgUserId }] },
  ...extra,
})

const test = schoolTest()
  .extend('ids', ({ api, school }) => poolOf(api, school))
  .extend(
    'post',
    ({ api, school }) =>
      (extra: object = {}, url = '/reservations') =>
        api.as(school.dispatcher).post(url, soloBody(school.student.orgUserId, extra)),
  )
  .extend('other', ({ api, school }) => buildMember(api, school.organizationId, ['student']))

const at = (day: number, hour: number) => `2026-11-${day}T${String(hour).padStart(2, '0')}:00:00Z`

describe('a booking that names a pool (§Reservations, `resource.pool`)', () => {
  test('takes the aircraft with the least booked hours on that local day, then the lowest id', async ({
    api,
    school,
    ids,
    other,
    post,
  }) => {
    // The first plane has 2 hours on Monday, the second 1; the third has 8 on Tuesday.
    await bookDual(api, school, { start: at(23, 14), end: at(23, 16) })
    await bookDual(api, school, { start: at(23, 17), end: at(23, 18), extra: { resource: { id: ids[1] } } })
    await bookDual(api, school, { start: at(24, 8), end: at(24, 16), extra: { resource: { id: ids[2] } } })
    const monday = (await post()).json().data as Booked
    expect(monday.resource).toMatchObject({ id: ids[2], pool: 'Trainers' })
    expect(monday.location.id).toBe(school.location.id)
    // Now the second has 1 hour, and the first and the third have 2 each.
    const second = await post({ personnel: { students: [{ orgUserId: other.orgUserId }] } })
    expect(second.json().data.resource.id).toBe(ids[1])
    const tuesday = await post({ start: at(24, 18), end: at(24, 19) })
    expect(tuesday.json().data.resource.id).toBe(ids[0])
  })

  test('takes the next one when a rule refuses the first', async ({ api, school, ids, other, post }) => {
    await api.as(school.admin).patch(`/resources/${ids[0]}/grounding`, { grounded: true, reason: 'Flat tire' })
    const theirs = { resource: { id: ids[1] }, personnel: { students: [{ orgUserId: other.orgUserId }] } }
    expect((await post({ ...theirs, start: at(23, 11), end: at(23, 13) })).statusCode).toBe(201)
    expect((await post()).json().data.resource.id).toBe(ids[2])
  })

  test('is refused for the first one’s reasons when none is accepted, and says another time', async ({
    api,
    school,
    ids,
    post,
  }) => {
    for (const id of ids) {
      const student = await buildMember(api, school.organizationId, ['student'])
      await post({ resource: { id }, personnel: { students: [{ orgUserId: student.orgUserId }] } })
    }
    const refused = await post()
    expect(refused.statusCode).toBe(400)
    const { problems } = refused.json().details
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code: 'RESOURCE_CLASH', resourceId: ids[0] })
    expect(
      await expectOk(api, school.dispatcher, 'POST', '/reservations/check', soloBody(school.student.orgUserId)),
    ).toMatchObject({ ok: false, problems: [{ code: 'RESOURCE_CLASH' }] })
  })

  test('of a series takes for each occurrence its own first', async ({ api, school, ids, post }) => {
    await bookDual(api, school, { start: at(24, 8), end: at(24, 9) })
    const series = await post({ recurrence: { frequency: 'daily', count: 3 } })
    const booked = series.json().data as Booked[]
    expect(booked.map(({ start, resource }) => [start.slice(8, 10), resource.id])).toEqual([
      ['23', ids[0]],
      ['24', ids[1]],
      ['25', ids[0]],
    ])
  })

  test('with a location takes only what is based there', async ({ api, school, ids, post }) => {
    const elsewhere = await buildLocation(api, school.organizationId, { name: 'Livermore' })
    const move = { type: { plane: {} }, location: { id: elsewhere.id } }
    await expectOk(api, school.admin, 'PATCH', `/resources/${ids[1]}`, move)
    const booked = (await post({ location: { id: elsewhere.id } })).json().data as Booked
    expect([booked.resource.id, booked.location.id]).toEqual([ids[1], elsewhere.id])
    const empty = await buildLocation(api, school.organizationId, { name: 'Nowhere' })
    expect((await post({ location: { id: empty.id } })).json().message).toMatch(/^resource\.pool: /)
  })

  test.for([
    ['with an id beside it', (id: number) => ({ id, pool: 'Trainers' }), 'resource.pool'],
    ['that nobody named', () => ({ pool: 'Twins' }), 'resource.pool'],
    ['that is empty', () => ({ pool: ' ' }), 'resource.pool'],
    ['that is null, without an id', () => ({ pool: null }), 'resource.id'],
  ] as const)('is 400 for a pool %s', async ([_what, resource, field], { api, school, ids, post }) => {
    for (const url of ['/reservations', '/reservations/check']) {
      const refused = await post({ resource: resource(ids[0]!) }, url)
      const message = refused.statusCode === 200 ? refused.json().data.problems[0].message : refused.json().message
      expect(message).toMatch(new RegExp(`^${field.replace('.', '\\.')}: `))
    }
    const rows = await api.core.database.db
      .selectFrom('reservation')
      .select('id')
      .where('organization_id', '=', school.organizationId)
      .execute()
    expect(rows).toEqual([])
  })

  test('is not changed to a pool', async ({ api, school, ids: _, post }) => {
    const { id } = (await post()).json().data
    const refused = await api.as(school.dispatcher).patch(`/reservations/${id}`, { resource: { pool: 'Trainers' } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toMatch(/^resource\.id: /)
  })

  test('needs two statements more than one that names its aircraft, which needs as many as before', async ({
    api,
    ids,
    post,
  }) => {
    const counting = async (work: () => Promise<unknown>) => (await countStatements(api, work)).statements.length
    const named = await counting(() => post({ resource: { id: ids[0] } }))
    const pooled = await counting(() => post({ start: at(24, 10), end: at(24, 12) }))
    expect([named, pooled]).toEqual([11, 13])
  })

  test('is made three times when 64 book a pool of three at once', { timeout: 120_000 }, async ({
    api,
    school,
    ids,
  }) => {
    const students = await Promise.all(
      Array.from({ length: 64 }, () => buildMember(api, school.organizationId, ['student'])),
    )
    const answers = await Promise.all(
      students.map((student, n) =>
        // Some name an aircraft of the pool themselves.
        api
          .as(school.dispatcher)
          .post('/reservations', soloBody(student.orgUserId, n % 8 === 0 ? { resource: { id: ids[n % 3] } } : {})),
      ),
    )
    const made = answers.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().data as Booked)
    expect(made.map(({ resource }) => resource.id).toSorted()).toEqual(ids.toSorted())
    const codes = answers.filter(({ statusCode }) => statusCode !== 201).map((answer) => answer.json().code)
    expect(new Set(codes)).toEqual(new Set(['RESOURCE_CLASH']))
  })
})

describe('a booking request that names a pool (§Booking requests)', () => {
  const asked = async (api: TestApp, extra: object = {}) => {
    const school = await buildAskedSchool(api)
    const ids = await poolOf(api, school)
    const body = requestBody(school, { resource: { pool: 'Trainers' }, ...extra })
    return { school, ids, answer: await api.as(school.student).post('/booking-requests', body) }
  }

  test('keeps the pool, and its approval takes the first that is accepted', async ({ api }) => {
    const { school, ids, answer } = await asked(api)
    const request = answer.json().data
    expect(request).toMatchObject({ resource: null, pool: 'Trainers' })
    await bookDual(api, school, { start: at(23, 14), end: at(23, 16) })
    const approved = await expectOk<{ reservation: Booked }>(
      api,
      school.dispatcher,
      'POST',
      `/booking-requests/${request.id}/approve`,
      {},
    )
    const booking = await expectOk<Booked>(api, school.student, 'GET', `/reservations/${approved.reservation.id}`)
    expect(booking.resource.id).toBe(ids[1])
  })

  test('is approved with another aircraft when the desk names one', async ({ api }) => {
    const { school, ids, answer } = await asked(api)
    const url = `/booking-requests/${answer.json().data.id}/approve`
    const approved = await expectOk<{ reservation: Booked }>(api, school.dispatcher, 'POST', url, {
      resource: { id: ids[2] },
    })
    const booking = await expectOk<Booked>(api, school.student, 'GET', `/reservations/${approved.reservation.id}`)
    expect(booking.resource.id).toBe(ids[2])
  })

  test('is 400 for a pool that nobody named', async ({ api }) => {
    const { answer } = await asked(api, { resource: { pool: 'Twins' } })
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(/^resource\.pool: /)])
  })
})
