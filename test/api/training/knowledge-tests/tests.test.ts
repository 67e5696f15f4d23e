import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

const knowledge = {
  kind: 'knowledge',
  takenAt: '2026-10-05T17:00:00Z',
  result: 'passed',
  score: 87,
  examiner: 'PSI, Hayward',
  deficiencies: 'PA.I.C.K2',
  reportNumber: '9088123456',
}

const test = sharedSchoolTest().extend('pupil', async ({ api, school }) => {
  const course = await buildTraining(api, school, { part141: true })
  const student = await buildMember(api, school.organizationId, ['student'])
  return { ...student, enrollmentId: await enrol(api, school, course, student) }
})

describe('a test of a student (§Training)', () => {
  test('is recorded by the instructor and read by the student, with the last day that it is good for', async ({
    api,
    school,
    pupil,
  }) => {
    const body = { ...knowledge, enrollmentId: pupil.enrollmentId }
    const made = await expectOk<{ id: number }>(api, school.instructor, 'POST', '/training/tests', body)
    expect(made).toMatchObject({
      ...knowledge,
      takenAt: '2026-10-05T17:00:00.000Z',
      orgUserId: pupil.orgUserId,
      enrollmentId: pupil.enrollmentId,
      validUntil: '2028-10-31',
      endorsementId: null,
      recordedBy: { orgUserId: school.instructor.orgUserId },
    })
    const list = (who: Member, query = '') =>
      expectOk<{ id: number }[]>(api, who, 'GET', `/training/tests${query}`).then((tests) => tests.map(({ id }) => id))
    expect(await list(pupil)).toEqual([made.id])
    expect(await list(school.renter)).toEqual([])
    expect(await list(school.admin, `?orgUserId=${pupil.orgUserId}&kind=knowledge`)).toEqual([made.id])
    expect(await list(school.admin, `?orgUserId=${pupil.orgUserId}&kind=practical`)).toEqual([])
    const detail = await expectOk<{ tests: unknown[] }>(
      api,
      pupil,
      'GET',
      `/training/enrollments/${pupil.enrollmentId}`,
    )
    expect(detail.tests).toMatchObject([{ id: made.id, score: 87 }])
  })

  test('ends the certification of the enrollment, and so does a correction', async ({ api, school, pupil }) => {
    const path = `/training/enrollments/${pupil.enrollmentId}`
    const certifiedAt = async () =>
      (await expectOk<{ certifiedAt: string | null }>(api, school.admin, 'GET', path)).certifiedAt
    await expectOk(api, school.admin, 'POST', `${path}/certify`)
    const body = { ...knowledge, enrollmentId: pupil.enrollmentId }
    const { id } = await expectOk<{ id: number }>(api, school.instructor, 'POST', '/training/tests', body)
    expect(await certifiedAt()).toBeNull()
    await expectOk(api, school.admin, 'POST', `${path}/certify`)
    await expectOk(api, school.instructor, 'PATCH', `/training/tests/${id}`, { result: 'failed', score: 61 })
    expect(await certifiedAt()).toBeNull()
  })

  test('after graduation is a practical test only', async ({ api, school, pupil }) => {
    const course = await buildTraining(api, school)
    const enrollmentId = await enrol(api, school, course, pupil)
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${enrollmentId}/graduate`)
    const record = (kind: string) =>
      api.as(school.instructor).post('/training/tests', { ...knowledge, kind, enrollmentId })
    expect((await record('end_of_course')).json().code).toBe('ENROLLMENT_ENDED')
    expect((await record('practical')).json().data).toMatchObject({ kind: 'practical', validUntil: null })
  })

  test.for<[string, (pupil: Member) => object, string]>([
    ['nobody’s', () => ({}), 'orgUserId'],
    ['in the future', ({ orgUserId }) => ({ orgUserId, takenAt: '2027-01-01T00:00:00Z' }), 'takenAt'],
    ['scored above 100', ({ orgUserId }) => ({ orgUserId, score: 101 }), 'score'],
    [
      'recommended by an endorsement of somebody else',
      ({ orgUserId }) => ({ orgUserId, endorsementId: 1 }),
      'endorsementId',
    ],
    ['of an enrollment that is not there', () => ({ enrollmentId: 2_000_000_000 }), 'enrollmentId'],
  ])('is refused when it is %s', async ([, given, field], { api, school, pupil }) => {
    const refused = await api.as(school.instructor).post('/training/tests', { ...knowledge, ...given(pupil) })
    expect([refused.statusCode, refused.json().message.split(/[:.]/)[0]]).toEqual([400, field])
  })

  test('has the causes for which a practical test was not passed, until it is', async ({ api, school, pupil }) => {
    const { enrollmentId } = pupil
    const practical = { enrollmentId, kind: 'practical', takenAt: '2026-11-05', result: 'discontinued' }
    const record = (body: object) => api.as(school.instructor).post('/training/tests', { ...practical, ...body })
    const made = (await record({ causes: ['weather', 'aircraft', 'weather'] })).json().data
    expect(made).toMatchObject({ causes: ['weather', 'aircraft'], firstResult: null, resultReason: null })
    const change = (body: object) => api.as(school.instructor).patch(`/training/tests/${made.id}`, body)
    expect((await change({ causes: ['flight'], result: 'failed' })).json().data).toMatchObject({ causes: ['flight'] })
    expect((await change({ score: null })).json().data).toMatchObject({ causes: ['flight'] })
    const none = 'causes: only a practical test that was failed or discontinued has causes'
    expect((await change({ causes: ['flight'], result: 'passed' })).json().message).toBe(none)
    expect((await record({ causes: ['flight'], result: 'passed' })).json().message).toBe(none)
    expect((await record({ causes: ['flight'], kind: 'knowledge' })).json().message).toBe(none)
    expect((await record({ causes: ['aircraft', 'weather', 'flight', 'knowledge'] })).statusCode).toBe(400)
    expect((await change({ result: 'passed' })).json().data).toMatchObject({ result: 'passed', causes: [] })
  })

  test('keeps its first result and a reason when the result is changed later than a day', async ({
    api,
    school,
    pupil,
  }) => {
    const { enrollmentId } = pupil
    const practical = { enrollmentId, kind: 'practical', takenAt: '2026-11-05', result: 'failed', causes: ['flight'] }
    const { id } = await expectOk<{ id: number }>(api, school.instructor, 'POST', '/training/tests', practical)
    const recorded = (before: string) =>
      api.core.database.pool.query(
        `update training_test set created_at = $1::timestamptz - $2::interval where id = $3`,
        [api.clock.now, before, id],
      )
    const change = (body: object) => api.as(school.instructor).patch(`/training/tests/${id}`, body)
    await recorded('24 hours')
    expect((await change({ result: 'discontinued' })).json().data).toMatchObject({ firstResult: null })
    await recorded('24 hours 1 second')
    expect((await change({ score: 70 })).statusCode).toBe(200)
    const refused = await change({ result: 'passed' })
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'reason: is required to change a result a day after it was recorded',
    ])
    const reason = 'The examiner sent the other form'
    expect((await change({ result: 'passed', reason })).json().data).toMatchObject({
      result: 'passed',
      firstResult: 'discontinued',
      resultReason: reason,
    })
    expect((await change({ result: 'failed', reason: 'No' })).json().data).toMatchObject({
      firstResult: 'discontinued',
      resultReason: 'No',
    })
  })

  test('is changed only where it is', async ({ api, school }) => {
    const changed = await api.as(school.instructor).patch('/training/tests/2000000000', { score: 90 })
    expect([changed.statusCode, changed.json().message]).toEqual([404, 'There is no such test.'])
  })

  test('is refused of the caller, and of an enrollment of another student', async ({ api, school, pupil }) => {
    const own = await api.as(school.instructor).post('/training/tests', {
      ...knowledge,
      orgUserId: school.instructor.orgUserId,
    })
    expect([own.statusCode, own.json().code]).toEqual([403, 'OWN_TRAINING'])
    const { enrollmentId } = pupil
    const theirs = { ...knowledge, enrollmentId, orgUserId: school.student.orgUserId }
    expect((await api.as(school.instructor).post('/training/tests', theirs)).json().message).toMatch(/^enrollmentId:/)
  })
})

describe('the result in an instructor’s records (14 CFR 61.189(b)(2))', () => {
  test('is that of the test that names the recommendation, else of the next test of the kind', async ({
    api,
    school,
    pupil,
  }) => {
    const { orgUserId } = pupil
    const endorse = () =>
      expectOk<{ id: number }>(api, school.instructor, 'POST', '/training/endorsements', {
        orgUserId,
        templateCode: 'A.36',
        renderedText: 'Ready for the knowledge test.',
      })
    const [first, second] = [await endorse(), await endorse()]
    const taken = (result: string, endorsementId: number | null) =>
      expectOk(api, school.instructor, 'POST', '/training/tests', {
        orgUserId,
        kind: 'knowledge',
        takenAt: '2026-11-21T12:00:00Z',
        result,
        endorsementId,
      })
    await taken('failed', first.id)
    await taken('passed', null)
    const kept = await expectOk<{ endorsementId: number; result: string; testAt: string }[]>(
      api,
      school.instructor,
      'GET',
      `/training/instructors/${school.instructor.orgUserId}/records`,
    )
    const results = kept.map(({ endorsementId, result }) => [endorsementId, result])
    expect(results).toEqual(
      expect.arrayContaining([
        [first.id, 'failed'],
        [second.id, 'passed'],
      ]),
    )
  })
})
