import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildTraining, enrol } from '../../support/training.ts'

interface Row {
  course: string
  of: string
  instructorOrgUserId: number | null
  tests: number
  firstAttempts: number | null
  firstTimeRate: number | null
  changedResults: number | null
  causes: Record<string, number | null>
}

/** Two courses: five students of the school's instructor in one, and one of its chief instructor in the other. */
const test = sharedSchoolTest().extend('report', { scope: 'file' }, async ({ api, school }) => {
  const chief = await buildMember(api, school.organizationId, ['instructor'])
  const course = await buildTraining(api, school)
  const other = await buildTraining(api, school)
  for (const [{ courseId }, name] of [
    [course, 'A course'],
    [other, 'B course'],
  ] as const) {
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${courseId}`, { name })
  }
  await expectOk(api, school.admin, 'PATCH', `/training/courses/${other.courseId}`, {
    chiefInstructorOrgUserId: chief.orgUserId,
  })
  const taken = async (of: typeof course, by: Member, results: [day: string, result: string, causes?: string[]][]) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const enrollmentId = await enrol(api, school, of, student, { instructorOrgUserId: by.orgUserId })
    for (const [takenAt, result, causes = []] of results) {
      const body = { enrollmentId, kind: 'practical', takenAt, result, causes }
      await expectOk(api, school.admin, 'POST', '/training/tests', body)
    }
    return { student, enrollmentId }
  }
  const { instructor } = school
  for (const day of ['2024-11-01', '2026-11-02', '2026-11-03']) await taken(course, instructor, [[day, 'passed']])
  // Before the usual window.
  await taken(course, instructor, [['2024-10-31', 'failed', ['knowledge']]])
  await taken(course, instructor, [['2026-11-04', 'discontinued', ['weather']]])
  await taken(course, instructor, [
    ['2026-11-12', 'passed'],
    ['2026-11-05', 'failed', ['flight', 'knowledge']],
  ])
  // The chief instructor of the other course recommended this student.
  const { student, enrollmentId } = await taken(other, instructor, [])
  const endorsement = await expectOk<{ id: number }>(api, chief, 'POST', '/training/endorsements', {
    orgUserId: student.orgUserId,
    templateCode: 'A.1',
    renderedText: 'Prepared for the test.',
  })
  const failed = { enrollmentId, kind: 'practical', takenAt: '2026-11-06', result: 'failed', causes: ['aircraft'] }
  await expectOk(api, school.admin, 'POST', '/training/tests', { ...failed, endorsementId: endorsement.id })
  // Not of a course, and not practical.
  const { orgUserId } = student
  for (const kind of ['practical', 'knowledge']) {
    await expectOk(api, school.admin, 'POST', '/training/tests', {
      orgUserId,
      kind,
      takenAt: failed.takenAt,
      result: 'failed',
    })
  }
  const read = async (by: Member, query = '') =>
    (await expectOk<Row[]>(api, by, 'GET', `/reports/tests${query}`)).map((row) => [
      row.course,
      row.of === 'course' ? 'course' : row.instructorOrgUserId,
      row.tests,
      row.firstAttempts,
      row.firstTimeRate,
      Object.keys(row.causes).filter((cause) => row.causes[cause]),
    ])
  return { chief, read, enrollmentId }
})

describe('the report on practical tests (§28.4: GET /reports/tests)', () => {
  test('has the first-time rate and the causes by course and instructor', async ({ school, report }) => {
    const { chief, read } = report
    const { orgUserId } = school.instructor
    // The second test of an enrollment is no first attempt; what was before it is.
    expect(await read(school.admin)).toEqual([
      ['A course', 'course', 6, 5, 0.6, ['weather', 'knowledge', 'flight']],
      ['A course', orgUserId, 6, 5, 0.6, ['weather', 'knowledge', 'flight']],
      ['B course', 'course', 1, 1, 0, ['aircraft']],
      ['B course', chief.orgUserId, 1, 1, 0, ['aircraft']],
    ])
  })

  test('shows others figures of at least five tests, and themselves their own', async ({ school, report }) => {
    const { chief, read } = report
    const { orgUserId } = school.instructor
    const course = ['A course', 'course', 6, 5, 0.6, ['weather', 'knowledge', 'flight']]
    expect(await read(school.dispatcher)).toEqual([course, ['B course', 'course', 1, null, null, []]])
    expect(await read(school.instructor)).toEqual([
      course,
      ['A course', orgUserId, 6, 5, 0.6, ['weather', 'knowledge', 'flight']],
      ['B course', 'course', 1, null, null, []],
    ])
    expect(await read(chief)).toEqual([
      course,
      ['B course', 'course', 1, 1, 0, ['aircraft']],
      ['B course', chief.orgUserId, 1, 1, 0, ['aircraft']],
    ])
  })

  test('takes a window from who sees all of a course', async ({ api, school, report }) => {
    const { chief, read } = report
    const window = '?startDate=2026-11-02&endDate=2026-11-06'
    const { orgUserId } = school.instructor
    expect(await read(school.admin, window)).toEqual([
      ['A course', 'course', 4, 4, 0.5, ['weather', 'knowledge', 'flight']],
      ['A course', orgUserId, 4, 4, 0.5, ['weather', 'knowledge', 'flight']],
      ['B course', 'course', 1, 1, 0, ['aircraft']],
      ['B course', chief.orgUserId, 1, 1, 0, ['aircraft']],
    ])
    expect(await read(chief, '?startDate=2026-11-07&endDate=2026-11-08')).toEqual([
      ['A course', 'course', 6, 5, 0.6, ['weather', 'knowledge', 'flight']],
    ])
    const usual = await read(school.dispatcher)
    for (const other of ['?startDate=2026-11-03&endDate=2026-11-06', '?endDate=2026-11-04']) {
      expect(await read(school.dispatcher, other)).toEqual(usual)
    }
    const refused = await api.as(school.admin).get('/reports/tests?startDate=2026-11-09&endDate=2026-11-08')
    expect(refused.statusCode).toBe(400)
    const long = await api.as(school.admin).get('/reports/tests?startDate=2025-01-01&endDate=2026-11-08')
    expect(long.statusCode).toBe(400)
  })

  test('is a file with a column per cause', async ({ api, school, report }) => {
    const { body } = await api.as(school.admin).get('/reports/tests?format=csv')
    const lines = body.replace('\uFEFF', '').split('\r\n')
    expect(lines[0]).toMatch(/,changedResults,endorsement,experience,aircraft,weather,knowledge,flight$/)
    expect(lines[4]).toMatch(new RegExp(`,B course,instructor,${report.chief.orgUserId},.*,1,1,0,0,0,0,1,0,0,0$`))
  })
})
