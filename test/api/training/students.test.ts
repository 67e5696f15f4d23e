import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { readsOf } from '../../../bench/scale/rows-read.ts'
import { listOf, listPage } from '../../../src/api/http/lists.ts'
import { studentSortKeys } from '../../../src/shared/training/enrollments/students.queries.ts'
import { buildMember } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'
import { buildBooking } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'
import { buildTraining, enrol, gradeAndSign } from '../../support/training.ts'

interface Row {
  student: { name: string }
  [key: string]: unknown
}

const test = sharedSchoolTest().extend('course', { scope: 'file' }, async ({ api, school }) => {
  const course = await buildTraining(api, school)
  const instructorOrgUserId = school.instructor.orgUserId
  const enrollmentId = await enrol(api, school, course, school.student, { instructorOrgUserId })
  await sql`update enrollment set created_at = '2026-10-01'`.execute(api.core.database.db)
  return { ...course, enrollmentId }
})

describe('the students in training (§Training: GET /training/students)', () => {
  test('have their next lesson, hours, progress, next booking, what is missing and who must act', async ({
    api,
    school,
    course,
  }) => {
    const { instructor, student } = school
    const read = async () => (await expectOk<Row[]>(api, instructor, 'GET', '/training/students'))[0]
    const before = await read()
    expect(before).toMatchObject({ progress: 0, lastFlownAt: null, nextBooking: null, waitingFor: 'student' })
    const flown = await bookDual(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' })
    await fly(api, school, flown)
    const lastFlownAt = api.clock.now.toISOString()
    expect(await read()).toMatchObject({ lastFlownAt, waitingFor: 'instructor' })
    const body = { reservationId: flown }
    const record = await gradeAndSign(api, instructor, course.enrollmentId, course.lesson, body)
    expect(await read()).toMatchObject({ waitingFor: 'student' })
    await expectOk(api, student, 'POST', `/training/records/${record}/countersign`, {})
    const next = await bookDual(api, school, { start: '2026-12-01T10:00:00Z', end: '2026-12-01T12:00:00Z' })
    expect(await read()).toEqual({
      enrollmentId: course.enrollmentId,
      student: { orgUserId: student.orgUserId, name: student.name },
      course: { id: course.courseId, name: 'Private pilot' },
      instructorOrgUserId: instructor.orgUserId,
      nextLesson: { id: course.secondLesson, name: 'Second flight' },
      lastFlownAt,
      deciHours: 14,
      progress: 0.33,
      nextBooking: { id: next, start: '2026-12-01T10:00:00.000Z' },
      missing: ['Flight time: 1.4 of 10.0 hours', 'Landings: 1 of 3'],
      waitingFor: null,
      plannedTestAt: null,
      readiness: null,
    })
  })

  test('are an instructor’s own unless another is named, and all for the desk and auditors', async ({
    api,
    school,
    course,
  }) => {
    const [other, pupil, auditor] = [
      await buildMember(api, school.organizationId, ['instructor']),
      await buildMember(api, school.organizationId, ['student']),
      await buildMember(api, school.organizationId, ['renter']),
    ]
    await enrol(api, school, course, pupil, { instructorOrgUserId: other.orgUserId })
    await expectOk(api, school.admin, 'POST', '/training/grants', { orgUserId: auditor.orgUserId, grant: 'auditor' })
    const names = async (who: typeof other, query = '') =>
      (await expectOk<Row[]>(api, who, 'GET', `/training/students${query}`)).map(({ student }) => student.name)
    expect(await names(other)).toEqual([pupil.name])
    expect(await names(other, `?instructorOrgUserId=${school.instructor.orgUserId}`)).toEqual([school.student.name])
    for (const who of [school.dispatcher, auditor]) {
      expect((await names(who)).toSorted()).toEqual([pupil.name, school.student.name].toSorted())
    }
    for (const who of [school.student, school.renter, school.technician]) {
      expect((await api.as(who).get('/training/students')).statusCode).toBe(403)
    }
  })

  test('have as next booking one that has not left, and as last flight the latest ramp-in', async ({ api, school }) => {
    const teacher = await buildMember(api, school.organizationId, ['instructor'])
    const pupil = await buildMember(api, school.organizationId, ['student'])
    const training = await buildTraining(api, school)
    await enrol(api, school, training, pupil, { instructorOrgUserId: teacher.orgUserId })
    const seats = [{ side: 'students' as const, member: pupil }]
    const [late, early, soon, later] = [
      await buildBooking(api, school, { seats, fromHour: -30 }),
      await buildBooking(api, school, { seats, fromHour: -20 }),
      await buildBooking(api, school, { seats, fromHour: 1 }),
      await buildBooking(api, school, { seats, fromHour: 30 }),
    ]
    const ramp = (id: number, out: string, back: string | null) =>
      api.core.database.db
        .updateTable('reservation')
        .set({ ramped_out_at: new Date(out), ramped_in_at: back === null ? null : new Date(back) })
        .where('id', '=', id)
        .execute()
    const read = async () => (await expectOk<Row[]>(api, teacher, 'GET', '/training/students'))[0]
    expect(await read()).toMatchObject({ nextBooking: { id: soon }, lastFlownAt: null })
    await ramp(soon, '2026-11-21T11:50:00Z', null)
    await ramp(late, '2026-11-20T06:00:00Z', '2026-11-20T20:30:00Z')
    await ramp(early, '2026-11-20T16:00:00Z', '2026-11-20T17:30:00Z')
    expect(await read()).toMatchObject({ nextBooking: { id: later }, lastFlownAt: '2026-11-20T20:30:00.000Z' })
  })

  test('are found among the members by enrollment, and by bookings of the 60 days before and after', async ({
    api,
    school,
    course,
  }) => {
    const teacher = await buildMember(api, school.organizationId, ['instructor'])
    const [enrolled, booked, late] = [
      await buildMember(api, school.organizationId, ['student']),
      await buildMember(api, school.organizationId, ['renter']),
      await buildMember(api, school.organizationId, ['student']),
    ]
    await enrol(api, school, course, enrolled, { instructorOrgUserId: teacher.orgUserId })
    const seatsWith = (member: typeof booked, side: 'renters' | 'students') => [
      { side: 'instructors' as const, member: teacher },
      { side, member },
    ]
    await buildBooking(api, school, { seats: seatsWith(booked, 'renters'), fromHour: 59 * 24 })
    await buildBooking(api, school, { seats: seatsWith(late, 'students'), fromHour: -61 * 24 })
    const ids = async (who: typeof booked, of: string | number) =>
      (await expectOk<{ id: number }[]>(api, who, 'GET', `/orgUsers?instructorOrgUserId=${of}`)).map(({ id }) => id)
    const theirs = [enrolled.orgUserId, booked.orgUserId].toSorted()
    expect((await ids(teacher, 'me')).toSorted()).toEqual(theirs)
    expect((await ids(school.dispatcher, teacher.orgUserId)).toSorted()).toEqual(theirs)
    expect((await api.as(school.student).get('/orgUsers?instructorOrgUserId=me')).statusCode).toBe(403)
    expect((await api.as(school.admin).get('/orgUsers?instructorOrgUserId=you')).statusCode).toBe(400)
  })

  test('are sorted by every field as their rows say, and judged for the page alone', async ({
    api,
    school,
    course,
  }) => {
    for (let index = 0; index < 4; index++) {
      const instructorOrgUserId = index % 2 ? school.instructor.orgUserId : undefined
      await enrol(api, school, course, await buildMember(api, school.organizationId, ['student']), {
        instructorOrgUserId,
      })
    }
    const read = (query: string) => expectOk<Row[]>(api, school.admin, 'GET', `/training/students?${query}`)
    const rows = (await read('')).map((row) => ({ ...row, id: Number(row.enrollmentId) }))
    const wrong: string[] = []
    for (const path of [...Object.keys(studentSortKeys(new Date())), 'missing.0', 'waitingFor']) {
      for (const order of ['asc', 'desc'] as const) {
        const inMemory = await listPage(listOf(rows), { limit: 1000, sort: path, order }, (row) => row)
        const got = (await read(`sort=${path}&order=${order}`)).map(({ enrollmentId }) => enrollmentId)
        if (got.join() !== inMemory.rows.map(({ id }) => id).join()) wrong.push(`${path} ${order}`)
      }
    }
    expect(wrong).toEqual([])
    /** The requirements that a request reads: two of each student that it judges. */
    const judgedBy = async (query: string) => {
      const { reads } = await readsOf(api.core.database.pool, () => read(query))
      return reads.filter(({ text }) => text.includes('syllabus_requirement')).map(({ rowsAnswered }) => rowsAnswered)
    }
    expect(await judgedBy('sort=enrollmentId&limit=2')).toEqual([4])
    expect(await judgedBy('sort=progress&limit=2')).toEqual([4])
    expect(await judgedBy('sort=waitingFor&limit=2')).toEqual([2 * rows.length])
  })

  test('take as many statements for ten as for two', async ({ api, school, course }) => {
    const count = async () =>
      (await countStatements(api, () => api.as(school.admin).get('/training/students'))).statements.length
    const few = await count()
    for (let index = 0; index < 8; index++) {
      await enrol(api, school, course, await buildMember(api, school.organizationId, ['student']))
    }
    expect(await count()).toBe(few)
  })

  test('have the planned test and the readiness for it, by as many statements for many as for one', async ({
    api,
    school,
  }) => {
    const { organizationId } = school
    const teacher = await buildMember(api, organizationId, ['instructor'])
    const training = await buildTraining(api, school)
    const instructorOrgUserId = teacher.orgUserId
    const plan = async (at: string) => {
      const id = await enrol(api, school, training, await buildMember(api, organizationId, ['student']), {
        instructorOrgUserId,
      })
      const plannedTest = { at, applicationAt: '2026-12-08T10:00:00.000Z', resourceId: school.plane.id }
      await expectOk(api, teacher, 'PATCH', `/training/enrollments/${id}`, { plannedTest })
      return id
    }
    const first = await plan('2026-12-10T10:00:00.000Z')
    const read = (query = '') => expectOk<Row[]>(api, teacher, 'GET', `/training/students${query}`)
    const one = (await countStatements(api, () => read())).statements.length
    const { verdict, open } = await expectOk<Row>(api, teacher, 'GET', `/training/enrollments/${first}/readiness`)
    expect((await read())[0]).toMatchObject({
      plannedTestAt: '2026-12-10T10:00:00.000Z',
      readiness: { verdict, open },
    })
    expect(verdict).toBe('not_ready')
    for (const day of ['09', '11']) await plan(`2026-12-${day}T10:00:00.000Z`)
    expect((await countStatements(api, () => read())).statements).toHaveLength(one)
    for (const sort of ['plannedTestAt', 'readiness.open']) expect(await read(`?sort=${sort}`)).toHaveLength(3)
    const days = (await read('?sort=plannedTestAt')).map(({ plannedTestAt }) => String(plannedTestAt).slice(8, 10))
    expect(days).toEqual(['09', '10', '11'])
  })
})
