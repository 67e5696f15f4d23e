import { describe, expect } from 'vitest'
import { findTeachersOf } from '../../../../src/shared/training/enrollments/teachers.queries.ts'
import { judgeSoFar } from '../../../support/at-risk.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

interface Told {
  rule: string
  fix?: { codes?: string[] }
}

/** The endorsements that name a make and model. */
const ofModel = ['A.3', 'A.4', 'A.6', 'A.9', 'A.10']

const test = schoolTest()
  .extend(
    'solo',
    ({ school }) =>
      (solo?: unknown, more: object = {}) =>
        bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }), solo, ...more }),
  )
  .extend(
    'endorse',
    ({ api, school }) =>
      (templateCode: string, parameters: object = {}) =>
        expectOk(api, school.instructor, 'POST', '/training/endorsements', {
          orgUserId: school.student.orgUserId,
          templateCode,
          renderedText: 'Ready.',
          signerCertificateNumber: '31CFI',
          parameters: { ...(ofModel.includes(templateCode) && { makeAndModel: 'C172' }), ...parameters },
        }),
  )
  .extend('missing', ({ api, school }) => async (body: object) => {
    const { warnings } = await expectOk<{ warnings: Told[] }>(
      api,
      ...([school.dispatcher, 'POST', '/reservations/check', body] as const),
    )
    return warnings.find(({ rule }) => rule === 'endorsement')?.fix?.codes ?? []
  })

test.beforeEach(async ({ api, school, endorse }) => {
  await api.core.database.pool.query(`update resource set make = 'Cessna', model = 'C172' where id = $1`, [
    school.plane.id,
  ])
  for (const code of ['A.3', 'A.4', 'A.6']) await endorse(code)
})

describe('where a solo flight goes (14 CFR 61.93, 61.95)', () => {
  test('is kept with the booking, and asks for its endorsements', async ({ api, school, solo, endorse, missing }) => {
    expect(await missing(solo())).toEqual([])
    expect(await missing(solo({ airport: 'KFRG' }))).toEqual(['A.8'])
    expect(await missing(solo({ crossCountry: 'beyond', classB: true }))).toEqual(['A.9', 'A.10', 'A.12', 'A.13'])
    await endorse('A.8', { otherAirport: 'kfrg' })
    expect(await missing(solo({ airport: 'KISP' }))).toEqual(['A.8'])
    await endorse('A.9')
    await endorse('A.10', { date: '2026-11-23' })
    await endorse('A.13', { airport: 'KJFK' })
    expect(await missing(solo({ crossCountry: 'beyond', classB: true, airport: 'kjfk' }))).toEqual([])
    const series = solo(
      { airport: 'kfrg', crossCountry: null },
      { recurrence: { frequency: 'daily', interval: 1, count: 2 } },
    )
    const made = await api.as(school.dispatcher).post('/reservations', series)
    expect([made.statusCode, made.json().warnings ?? []]).toEqual([201, []])
    const rows = await expectOk<{ solo: object }[]>(
      api,
      school.student,
      'GET',
      '/reservations?startDate=2026-11-23T00:00:00Z&endDate=2026-11-26T00:00:00Z&sort=solo.airport',
    )
    const kept = { airport: 'KFRG', crossCountry: null, classB: false }
    expect(rows.map((row) => row.solo)).toEqual([kept, kept])
  })

  test('is asked of openings', async ({ api, school, endorse }) => {
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    const open = (more: object, type = 'solo') => {
      const search = { type, startDate: '2026-11-23T09:00:00Z', endDate: '2026-11-23T12:00:00Z', durationMinutes: '60' }
      return api.as(school.student).get(`/reservations/openings?${new URLSearchParams({ ...search, ...more })}`)
    }
    const found = async (more: object) => (await open(more)).json().data.length
    expect(await found({})).toBeGreaterThan(0)
    expect(await found({ soloAirport: 'kfrg' })).toBe(0)
    await endorse('A.8', { otherAirport: 'KFRG' })
    expect(await found({ soloAirport: 'kfrg' })).toBeGreaterThan(0)
    expect(await found({ soloAirport: 'kfrg', soloClassB: 'true' })).toBe(0)
    expect(await found({ soloCrossCountry: 'beyond' })).toBe(0)
    const refused = await open({ soloCrossCountry: 'beyond' }, 'dual')
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'solo: a dual booking takes none'])
  })

  test('is as the planned lesson says where the booking says nothing', async ({ api, school, solo, missing }) => {
    const course = await buildTraining(api, school, { publish: false })
    const url = `/training/versions/${course.versionId}`
    const credits = ['solo', 'cross_country'].map((clock) => ({ requirementId: course.hours, clock }))
    const away = { lessonId: course.secondLesson, stageId: course.stageId, name: 'Away', position: 1, kind: 'flight' }
    await expectOk(api, school.admin, 'PUT', `${url}/lessons`, { ...away, credits })
    await expectOk(api, school.admin, 'POST', `${url}/publish`, {})
    await enrol(api, school, course, school.student)
    expect(await missing(solo(undefined, { lessonId: course.lesson }))).toEqual([])
    const planned = (route?: object) => solo(route, { lessonId: course.secondLesson })
    expect(await missing(planned())).toEqual(['A.9', 'A.10'])
    expect(await missing(planned({ crossCountry: 'within25' }))).toEqual(['A.8'])
    expect(await missing(planned({}))).toEqual([])
  })

  test('is changed by who may change the place, and puts the booking at risk', async ({ api, school, solo }) => {
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', solo())
    const change = (who: typeof school.student, route: unknown) =>
      api.as(who).patch(`/reservations/${id}`, { solo: route })
    expect((await change(school.student, { classB: true })).statusCode).toBe(403)
    const changed = await change(school.dispatcher, { classB: true })
    expect(changed.json()).toMatchObject({
      data: { solo: { airport: null, crossCountry: null, classB: true } },
      warnings: [{ rule: 'endorsement' }],
    })
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    await judgeSoFar(api, school.organizationId)
    const window = 'startDate=2026-11-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'
    const rows = await expectOk<{ id: number }[]>(api, school.dispatcher, 'GET', `/reservations/atRisk?${window}`)
    expect(rows.map((row) => row.id)).toEqual([id])
    expect((await change(school.dispatcher, { crossCountry: 'beyond' })).json().code).toBe('ENDORSEMENT_MISSING')
    expect((await change(school.dispatcher, null)).json().data.solo).toBeNull()
  })

  test('is told to who teaches the student when the log has more than it', async ({ api, school, solo }) => {
    const { pool } = api.core.database
    const told = async () =>
      (await pool.query(`select 1 from outbox where payload ->> 'kind' = 'solo_beyond'`)).rows.length
    const logged = async (day: number, route?: object, figures: object = { crossCountry: 14 }) => {
      const times = { start: `2026-11-1${day}T10:00:00Z`, end: `2026-11-1${day}T12:00:00Z` }
      const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', solo(route, times))
      await pool.query(
        `update reservation set hobbs_out = 1000, hobbs_in = 1140, ramped_out_at = starts_at, ramped_in_at = $2 where id = $1`,
        [id, api.clock.now],
      )
      const row = { orgUserId: school.student.orgUserId, solo: 14, ...figures }
      await expectOk(api, school.student, 'PUT', `/reservations/${id}/log`, { rows: [row] })
    }
    await logged(7, { crossCountry: 'beyond' })
    expect(await told()).toBe(0)
    await logged(8)
    expect(await told()).toBe(1)
    await logged(9, undefined, { route: 'KHWD KLVK KHWD' })
    expect(await told()).toBe(2)
  })

  test('is told to the instructors of open enrollments, else to those of the one that the student graduated from', async ({
    api,
    school,
    solo,
  }) => {
    const { organizationId, student, instructor, dispatcher } = school
    const { db, pool } = api.core.database
    const { id } = await expectOk<{ id: number }>(api, dispatcher, 'POST', '/reservations', solo())
    const teachers = () => findTeachersOf(db, organizationId, id, { chiefs: false })
    expect(await teachers()).toEqual([])
    const before = await buildMember(api, organizationId, ['instructor'])
    for (const { orgUserId } of [before, instructor]) {
      await enrol(api, school, await buildTraining(api, school), student, { instructorOrgUserId: orgUserId })
    }
    expect(await teachers()).toEqual([instructor.orgUserId, before.orgUserId].sort((a, b) => a - b))
    const end = (status: string, of: Member, day: number) =>
      pool.query(`update enrollment set status = $1, ended_at = $2 where instructor_id = $3`, [
        ...[status, `2026-11-0${day}T12:00:00Z`, of.orgUserId],
      ])
    await end('graduated', before, 1)
    expect(await teachers()).toEqual([instructor.orgUserId])
    await end('graduated', instructor, 2)
    expect(await teachers()).toEqual([instructor.orgUserId])
    await end('terminated', instructor, 2)
    expect(await teachers()).toEqual([before.orgUserId])
  })

  test.for([
    ['another type', 'dual', { classB: true }],
    ['an unknown kind', 'solo', { crossCountry: 'far' }],
    ['too short an airport', 'solo', { airport: 'K' }],
    ['no object', 'solo', 'KFRG'],
  ] as const)('is refused of %s', async ([, type, route], { api, school, solo }) => {
    const body = type === 'dual' ? dualBody(school, { extra: { solo: route } }) : solo(route)
    const refused = await api.as(school.dispatcher).post('/reservations', body)
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringMatching(/solo/)])
  })

  test('costs no statement more to book', async ({ api, school, solo }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const counted = async (day: number, route?: object) => {
      const times = { start: `2026-12-0${day}T10:00:00Z`, end: `2026-12-0${day}T12:00:00Z` }
      const body = solo(route, { ...times, personnel: seats({ students: [student] }) })
      const { statements } = await countStatements(api, () => api.as(school.dispatcher).post('/reservations', body))
      return statements.length
    }
    await counted(1)
    expect(await counted(2, { crossCountry: 'beyond', classB: true })).toBe(await counted(3))
  })
})
