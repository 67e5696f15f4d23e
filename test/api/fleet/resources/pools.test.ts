import { describe, expect } from 'vitest'
import { buildMember, buildPlane, buildRoom, buildSchool, buildSimulator } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { importAs } from '../../../support/imports.ts'

const test = schoolTest()
  .extend(
    'pool',
    ({ api, school }) =>
      (id: number, pool: unknown, plane: object = {}) =>
        api.as(school.admin).patch(`/resources/${id}`, { type: { plane }, pool }),
  )
  .extend(
    'poolOf',
    ({ api, school }) =>
      async (id: number) =>
        (await api.as(school.student).get(`/resources/${id}`)).json().data.pool,
  )
  .extend('other', ({ api, school }) => buildPlane(api, school))

describe('the pool of a resource (§Resources)', () => {
  test('is null until an admin names one, trimmed, and null again ends it', async ({ school, pool, poolOf }) => {
    const { id } = school.plane
    expect(await poolOf(id)).toBeNull()
    expect((await pool(id, ' Cessna 172 ')).json().data.pool).toBe('Cessna 172')
    await pool(id, undefined)
    expect(await poolOf(id)).toBe('Cessna 172')
    expect((await pool(id, null)).json().data.pool).toBeNull()
  })

  test('is given to a new resource, and stands in the resource of its bookings', async ({ api, school, pool }) => {
    const body = { name: 'N8', location: { id: school.location.id }, type: { simulator: {} }, pool: 'Redbirds' }
    const made = await api.as(school.admin).post('/resources', body)
    expect(made.json().data.pool).toBe('Redbirds')
    await pool(school.plane.id, 'Trainers')
    const booking = await api.as(school.dispatcher).post('/reservations', {
      title: 'Solo',
      type: 'solo',
      start: '2026-11-23T16:00:00Z',
      end: '2026-11-23T18:00:00Z',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel: { students: [{ orgUserId: school.student.orgUserId }] },
    })
    expect(booking.json().data.resource).toMatchObject({ id: school.plane.id, pool: 'Trainers' })
  })

  test('says in the audit log who changed it', async ({ api, school, pool }) => {
    await pool(school.plane.id, 'Trainers')
    await pool(school.plane.id, 'Trainers', { taa: true })
    await pool(school.plane.id, null)
    const { data } = (await api.as(school.admin).get('/audit?action=pool.changed')).json()
    expect(data.map(({ before, after }: Record<string, unknown>) => [before, after])).toEqual([
      [{ pool: 'Trainers' }, { pool: null }],
      [{ pool: null }, { pool: 'Trainers' }],
    ])
  })

  test.for([
    ['an empty text', ' '],
    ['41 characters', 'x'.repeat(41)],
    ['two lines', 'a\nb'],
    ['a number', 172],
  ])('is 400 for %s', async ([_what, name], { school, pool }) => {
    const response = await pool(school.plane.id, name)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(/^pool: /)
  })

  test('is 400 for a room', async ({ api, school }) => {
    const room = await buildRoom(api, school)
    const response = await api.as(school.admin).patch(`/resources/${room.id}`, { type: { room: {} }, pool: 'Rooms' })
    expect([response.statusCode, response.json().message]).toEqual([400, 'pool: a room cannot be in a pool'])
  })

  test('refuses an aircraft that is unlike the others, and says what differs', async ({
    school,
    other,
    pool,
    poolOf,
  }) => {
    await pool(school.plane.id, 'Trainers')
    const response = await pool(other.id, 'TRAINERS', { engines: 2, class: 'multi_engine_land' })
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      code: 'POOL_DIFFERS',
      message: expect.stringMatching(/^N.* cannot be in the pool TRAINERS: it differs from N.* in class, engines\.$/),
      details: { differs: ['class', 'engines'] },
    })
    expect(await poolOf(other.id)).toBeNull()
  })

  test('refuses a change that makes one of its aircraft unlike the others', async ({ school, other, pool }) => {
    await pool(school.plane.id, 'Trainers')
    await pool(other.id, 'trainers')
    expect((await pool(other.id, undefined, { complex: true })).json()).toMatchObject({ code: 'POOL_DIFFERS' })
    expect((await pool(other.id, 'Complex', { complex: true })).statusCode).toBe(200)
  })

  test('is of one organization', async ({ api, school, other, pool }) => {
    const elsewhere = await buildSchool(api)
    const twin = await api.as(elsewhere.admin).patch(`/resources/${elsewhere.plane.id}`, {
      type: { plane: { engines: 2 } },
      pool: 'Trainers',
    })
    expect(twin.statusCode).toBe(200)
    expect((await pool(school.plane.id, 'Trainers')).statusCode).toBe(200)
    expect((await pool(other.id, 'Trainers')).statusCode).toBe(200)
  })

  test('takes one of two unlike aircraft that are put into it at once', async ({ api, school }) => {
    for (let round = 0; round < 8; round++) {
      const [plane, simulator] = [await buildPlane(api, school), await buildSimulator(api, school)]
      const name = `Pool ${round}`
      const done = await Promise.all([
        api.as(school.admin).patch(`/resources/${plane.id}`, { type: { plane: {} }, pool: name }),
        api.as(school.admin).patch(`/resources/${simulator.id}`, { type: { simulator: {} }, pool: name }),
      ])
      expect(done.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    }
  })
})

describe('the pool of an imported resource (§Imports)', () => {
  test('is a column; a blank cell keeps it, and an unlike aircraft is refused', async ({ api, school }) => {
    const owner = await buildMember(api, school.organizationId, ['owner', 'admin'])
    const given = (kind: string, name: string, pool: string) => ({ kind, name, pool, location: '' })
    const rows = [given('plane', 'A', 'Trainers'), given('plane', 'B', 'trainers'), given('simulator', 'C', 'Trainers')]
    const first = await importAs(api, owner, { kind: 'resources', rows })
    expect(first.outcomes).toEqual(['created', 'created', 'refused'])
    const again = [given('plane', 'A', ''), given('plane', 'B', 'Other')]
    expect((await importAs(api, owner, { kind: 'resources', rows: again })).outcomes).toEqual(['unchanged', 'updated'])
  })
})
