import { describe, expect } from 'vitest'
import type { Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'

interface Check {
  rule: string
  status: string
  subject: { name: string; squawkId?: number }
  overriddenBy?: object
}

const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }
const reason = 'One pattern before the front comes in'

/** A dual on Monday at ten, and it is nine. */
const test = schoolTest()
  .extend('id', { auto: true }, async ({ api, school }) => {
    api.clock.now = new Date('2026-11-23T09:00:00Z')
    return bookDual(api, school)
  })
  .extend(
    'set',
    ({ api, school }) =>
      (settings: object) =>
        expectOk(api, school.admin, 'PATCH', '/organizations', { settings }),
  )
  .extend(
    'release',
    ({ api, school, id }) =>
      (who: Member = school.dispatcher, query = '') =>
        expectOk<{ verdict: string; checks: Check[] }>(api, who, 'GET', `/reservations/${id}/release${query}`),
  )
  .extend(
    'rampOut',
    ({ api, school, id }) =>
      (body: object = {}, who: Member = school.instructor) =>
        api.as(who).post(`/reservations/${id}/rampOut`, { ...out, ...body }),
  )
  .extend(
    'squawk',
    ({ api, school }) =>
      () =>
        expectOk<{ id: number }>(api, school.student, 'POST', '/maintenance/squawks', {
          resource: { id: school.plane.id },
          title: 'Landing light is out',
          description: '',
          severity: 'observation',
        }),
  )

describe('a release (interface §Dispatch)', () => {
  test('is read by those on the booking and staff, with the readings against the aircraft’s own', async ({
    api,
    school,
    id,
    release,
  }) => {
    for (const who of [school.student, school.instructor, school.dispatcher]) {
      expect(await release(who)).toMatchObject({ verdict: 'released' })
    }
    expect((await api.as(school.renter).get(`/reservations/${id}/release`)).statusCode).toBe(403)
    const { verdict, checks } = await release(school.dispatcher, '?hobbsTimeOut=1000.5&tachTimeOut=900')
    expect(verdict).toBe('advisory')
    const gaps = checks.filter(({ rule }) => rule === 'meter_gap')
    expect(gaps.map(({ status, subject }) => [status, subject.name])).toEqual([
      ['warn', 'hobbs'],
      ['ok', 'tach'],
    ])
    const subjects = checks.map(({ rule, subject }) => JSON.stringify([rule, subject]))
    expect(new Set(subjects).size).toBe(subjects.length)
  })

  test('lists the checks of the statuses that are asked for, with the verdict of all', async ({
    api,
    school,
    id,
    squawk,
    release,
  }) => {
    await squawk()
    const statusesOf = async (query: string) => {
      const { verdict, checks } = await release(school.dispatcher, query)
      return [verdict, ...new Set(checks.map(({ status }) => status))]
    }
    expect(await statusesOf('?status=warn,block')).toEqual(['advisory', 'warn'])
    expect(await statusesOf('?status=block')).toEqual(['advisory'])
    expect(await statusesOf('?status=ok')).toEqual(['advisory', 'ok'])
    const unknown = await api.as(school.dispatcher).get(`/reservations/${id}/release?status=warn,bad`)
    expect([unknown.statusCode, unknown.json().message]).toEqual([
      400,
      'status: must be one of ok, warn, block, or several separated by commas',
    ])
  })

  test('is for a booking that an aircraft leaves on', async ({ api, school, id, rampOut }) => {
    const personnel = {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      students: [{ orgUserId: school.student.orgUserId }],
    }
    const start = { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }
    const ground = await bookDual(api, school, { ...start, extra: { type: 'ground', resource: null, personnel } })
    const none = await api.as(school.dispatcher).get(`/reservations/${ground}/release`)
    expect([none.statusCode, none.json().message]).toEqual([
      400,
      'There is nothing to release: no aircraft leaves on this booking.',
    ])
    await rampOut()
    const left = await api.as(school.dispatcher).get(`/reservations/${id}/release`)
    expect([left.statusCode, left.json().code]).toEqual([409, 'RESERVATION_RAMPED_OUT'])
  })

  test('wants the files that the organization asks for', async ({ api, school, set, release }) => {
    await set({ requiredAircraftFiles: ['registration'] })
    expect((await release()).checks).toContainEqual(
      expect.objectContaining({ rule: 'aircraft_file', status: 'warn', code: 'AIRCRAFT_FILE' }),
    )
    const files = { category: 'registration', fileNames: ['registration.pdf'], expiresAt: '2026-12-01T00:00:00Z' }
    const [file] = await expectOk<{ id: number }[]>(
      api,
      school.admin,
      'POST',
      `/resources/${school.plane.id}/files`,
      files,
    )
    expect(file).toMatchObject({
      category: 'registration',
      visibility: 'bookers',
      expiresAt: '2026-12-01T00:00:00.000Z',
    })
    await api.core.database.db
      .updateTable('resource_file')
      .set({ upload: 'stored' })
      .where('id', '=', file!.id)
      .execute()
    expect(await release()).toMatchObject({ verdict: 'released' })
    const url = `/resources/${school.plane.id}/files/${file!.id}`
    await expectOk(api, school.admin, 'PATCH', url, { expiresAt: '2026-11-23T08:00:00Z' })
    expect(await release()).toMatchObject({ verdict: 'advisory' })
  })
})

describe('the checks at ramp-out (interface §Dispatch)', () => {
  test('warn by default: a grounded aircraft leaves, and the answer says so', async ({
    api,
    school,
    rampOut,
    squawk,
  }) => {
    await squawk()
    const grounding = { grounded: true, reason: 'Annual due' }
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, grounding)
    const left = await rampOut()
    expect(left.statusCode).toBe(200)
    expect(left.json().warnings).toMatchObject([
      { rule: 'resource_grounded', code: 'RESOURCE_GROUNDED', overridable: false, resourceId: school.plane.id },
      { rule: 'open_squawk', code: 'OPEN_SQUAWK', field: '' },
    ])
  })

  test('are not asked where they are off', async ({ set, rampOut, squawk }) => {
    await squawk()
    await set({ dispatchChecks: 'off' })
    expect((await rampOut()).json()).not.toHaveProperty('warnings')
  })

  test('refuse a squawk until who leaves has read it, which the history keeps', async ({
    api,
    school,
    id,
    set,
    rampOut,
    squawk,
  }) => {
    await set({ dispatchChecks: 'block' })
    const { id: squawkId } = await squawk()
    const refused = await rampOut()
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'NOT_RELEASED'])
    expect(refused.json().details.checks).toContainEqual(
      expect.objectContaining({ rule: 'open_squawk', subject: { squawkId, name: 'Landing light is out' } }),
    )
    const unknown = await rampOut({ acknowledgedSquawkIds: [squawkId, 999_999] })
    expect(unknown.json().message).toBe('acknowledgedSquawkIds: there is no such squawk of this aircraft: 999999')
    expect((await rampOut({ acknowledgedSquawkIds: [squawkId] })).statusCode).toBe(200)
    const history = await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)
    expect(history.at(-1)).toMatchObject({
      action: 'ramped_out',
      by: { orgUserId: school.instructor.orgUserId },
      after: { acknowledgedSquawkIds: [squawkId] },
    })
  })

  test('refuse a rule that blocks until the desk has overridden it, at ramp-out or before', async ({
    api,
    school,
    id,
    set,
    release,
    rampOut,
  }) => {
    await set({ dispatchChecks: 'block', flyingDayStartMinute: 600, flyingDayEndMinute: 1200 })
    expect((await rampOut()).json()).toMatchObject({ code: 'NOT_RELEASED' })
    const overrides = [{ rule: 'opening_hours', reason }]
    const denied = await rampOut({ overrides })
    expect([denied.statusCode, denied.json().code]).toEqual([403, 'OVERRIDE_NOT_ALLOWED'])
    const url = `/reservations/${id}/overrides`
    expect((await api.as(school.instructor).post(url, { overrides })).statusCode).toBe(403)
    expect((await api.as(school.student).post(url, { overrides })).statusCode).toBe(403)
    const overridden = await expectOk<{ overrides: object[] }>(api, school.dispatcher, 'POST', url, { overrides })
    expect(overridden.overrides).toMatchObject([{ rule: 'opening_hours', reason }])
    expect((await release()).checks).toContainEqual(
      expect.objectContaining({ rule: 'opening_hours', status: 'ok', overriddenBy: expect.anything() }),
    )
    expect((await rampOut()).statusCode).toBe(200)
  })

  test('say once that start and end are outside the opening hours', async ({ set, release }) => {
    await set({ dispatchChecks: 'warn', flyingDayStartMinute: 60, flyingDayEndMinute: 120 })
    const { checks } = await release()
    expect(checks.filter(({ rule }) => rule === 'opening_hours')).toMatchObject([{ status: 'block' }])
  })

  test('take an override with the ramp-out itself, by who may', async ({ api, school, id, set, rampOut }) => {
    await set({ dispatchChecks: 'block', deskRamps: true, flyingDayStartMinute: 600, flyingDayEndMinute: 1200 })
    const left = await rampOut({ overrides: [{ rule: 'opening_hours', reason }] }, school.dispatcher)
    expect(left.statusCode).toBe(200)
    const history = await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)
    expect(history).toMatchObject([{ action: 'rule_overridden', reason }, { action: 'ramped_out' }])
  })
})

describe('the desk that ramps (interface §Dispatch)', () => {
  test('is in the history, out and in, and signs for nobody', async ({ api, school, id, set, rampOut }) => {
    expect((await rampOut({}, school.dispatcher)).statusCode).toBe(400)
    await set({ deskRamps: true })
    expect((await rampOut({}, school.renter)).statusCode).toBe(400)
    expect((await rampOut({}, school.dispatcher)).statusCode).toBe(200)
    const back = { hobbsTimeIn: 1001.2, tachTimeIn: 901 }
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/rampIn`, back)
    const history = await expectOk<{ by: object }[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)
    expect(history.map(({ by }) => by)).toMatchObject(
      [school.dispatcher, school.dispatcher].map(({ orgUserId }) => ({ orgUserId })),
    )
    expect((await api.as(school.dispatcher).post(`/reservations/${id}/confirmReview`)).statusCode).toBe(403)
  })
})

describe('when a flight is expected back (interface §Dispatch)', () => {
  test('is the booked end unless somebody says so, and is changed while it is out', async ({
    api,
    school,
    id,
    rampOut,
  }) => {
    const url = `/reservations/${id}`
    expect(await expectOk(api, school.student, 'GET', url)).toMatchObject({ expectedBackAt: null })
    const early = await api.as(school.instructor).patch(url, { expectedBackAt: '2026-11-23T13:00:00Z' })
    expect([early.statusCode, early.json().message]).toEqual([400, 'The booking is not ramped out.'])
    expect((await rampOut()).json().data).toMatchObject({ expectedBackAt: '2026-11-23T12:00:00.000Z' })
    const later = { expectedBackAt: '2026-11-23T13:30:00Z' }
    expect(await expectOk(api, school.student, 'PATCH', url, later)).toMatchObject({
      expectedBackAt: '2026-11-23T13:30:00.000Z',
    })
    expect((await api.as(school.dispatcher).patch(url, later)).statusCode).toBe(403)
    await api.as(school.instructor).post(`${url}/rampIn`, { hobbsTimeIn: 1001.2, tachTimeIn: 901.1 })
    const back = await api.as(school.instructor).patch(url, later)
    expect([back.statusCode, back.json()]).toEqual([
      409,
      { message: 'The booking is back already.', code: 'NOT_PENDING' },
    ])
  })

  test.for([
    ['in the past', '2026-11-23T09:00:00Z', 'expectedBackAt: must be in the future'],
    ['too far ahead', '2027-01-22T09:00:01Z', 'expectedBackAt: must be within 60 days'],
  ] as const)('is never %s', async ([_what, expectedBackAt, message], { rampOut }) => {
    const refused = await rampOut({ expectedBackAt })
    expect([refused.statusCode, refused.json().message]).toEqual([400, message])
  })
})
