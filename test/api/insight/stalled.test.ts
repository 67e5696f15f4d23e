import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'
import { buildTraining, enrol, gradeAndSign } from '../../support/training.ts'

interface Row {
  enrollment: { id: number; student: { orgUserId: number } }
  days: number
  cause: string
  since: string | null
  action: { method: string; path: string }
}

const test = sharedSchoolTest()
  .extend('course', { scope: 'file' }, async ({ api, school }) => {
    const course = await buildTraining(api, school)
    const instructorOrgUserId = school.instructor.orgUserId
    const enrollmentId = await enrol(api, school, course, school.student, { instructorOrgUserId })
    await sql`update enrollment set created_at = '2026-10-31T12:00Z'`.execute(api.core.database.db)
    return { ...course, enrollmentId, path: `/training/enrollments/${enrollmentId}` }
  })
  .extend(
    'stalled',
    ({ api }) =>
      (who: Member, query = '') =>
        expectOk<Row[]>(api, who, 'GET', `/reports/stalled${query}`),
  )

describe('the students who are stalled (§33.1: GET /reports/stalled)', () => {
  test('have the first cause, the day of its fact and a request, until they complete a lesson', async ({
    api,
    school,
    course,
    stalled,
  }) => {
    expect(await stalled(school.admin)).toEqual([
      {
        enrollment: {
          id: course.enrollmentId,
          student: { orgUserId: school.student.orgUserId, name: school.student.name },
          course: { id: course.courseId, name: 'Private pilot' },
          instructorOrgUserId: school.instructor.orgUserId,
        },
        days: 21,
        cause: 'no_booking',
        since: '2026-10-31',
        action: { method: 'POST', path: '/reservations' },
      },
    ])
    expect(await stalled(school.admin, '?days=21')).toHaveLength(1)
    expect(await stalled(school.admin, '?days=22')).toEqual([])
    await bookDual(api, school, { start: '2026-12-05T10:00:00Z', end: '2026-12-05T12:00:00Z' })
    expect(await stalled(school.admin)).toMatchObject([{ cause: 'silence' }])
  })

  test('are told with their causes to those who may know them (S115)', async ({ api, school, course, stalled }) => {
    const { admin, instructor, student, dispatcher, renter } = school
    await expectOk(api, instructor, 'PATCH', course.path, { plannedTestAt: '2026-12-20T10:00:00Z' })
    const causeFor = async (who: Member, query = '') => (await stalled(who, query)).map(({ cause }) => cause)
    for (const who of [admin, instructor, student]) expect(await causeFor(who)).toEqual(['medical'])
    expect(await stalled(dispatcher)).toMatchObject([
      { cause: 'papers', since: null, action: { method: 'GET', path: course.path } },
    ])
    expect(await causeFor(renter)).toEqual([])
    const other = await buildMember(api, school.organizationId, ['instructor'])
    expect(await causeFor(other)).toEqual([])
    expect(await causeFor(other, `?instructorOrgUserId=${instructor.orgUserId}`)).toEqual(['papers'])
    expect(await causeFor(renter, `?instructorOrgUserId=${instructor.orgUserId}`)).toEqual([])
    // The weekly digest names to the chief instructor who is stalled in the course.
    const chief = await buildMember(api, school.organizationId, ['instructor'])
    const lead = (chiefInstructorOrgUserId: number | null) =>
      expectOk(api, admin, 'PATCH', `/training/courses/${course.courseId}`, { chiefInstructorOrgUserId })
    await lead(chief.orgUserId)
    expect(await causeFor(chief)).toEqual(['medical'])
    await lead(null)
    expect(await causeFor(chief)).toEqual([])
    expect(await expectOk(api, admin, 'GET', '/audit?action=stalled.read&limit=100')).not.toEqual([])
  })

  test('cost the same statements however many they are', async ({ api, school, course, stalled }) => {
    const one = await countStatements(api, () => stalled(school.admin))
    for (let n = 0; n < 5; n++) {
      await enrol(api, school, course, await buildMember(api, school.organizationId, ['student']))
    }
    await sql`update enrollment set created_at = '2026-10-31T12:00Z'`.execute(api.core.database.db)
    const six = await countStatements(api, () => stalled(school.admin))
    expect(await stalled(school.admin)).toHaveLength(6)
    expect(six.statements.length).toBeLessThanOrEqual(one.statements.length)
  })

  test('are no longer there when they have completed a lesson', async ({ api, school, course, stalled }) => {
    await gradeAndSign(api, school.instructor, course.enrollmentId, course.lesson)
    const rows = await stalled(school.admin)
    expect(rows.map(({ enrollment }) => enrollment.id)).not.toContain(course.enrollmentId)
  })
})

describe('the outlook of an enrollment (§33.2: GET /training/enrollments/{id}/outlook)', () => {
  test('is arithmetic of what is left, with the cost for the student and admins', async ({ api, school, course }) => {
    const read = (who: Member) => expectOk<Record<string, unknown>>(api, who, 'GET', `${course.path}/outlook`)
    const outlook = await read(school.student)
    expect(outlook).toMatchObject({ pace: null, basis: 'none', sample: 0, cost: null })
    expect(outlook.finish).toEqual({ earliest: null, likely: null, latest: null })
    expect(await read(school.instructor)).toEqual(outlook)
    const refused = await api.as(school.renter).get(`${course.path}/outlook`)
    expect(refused.statusCode).toBe(404)
  })
})
