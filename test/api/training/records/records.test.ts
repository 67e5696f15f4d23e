import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, grade, gradeAndSign, standing, type TrainingCourse } from '../../../support/training.ts'

interface Given {
  api: TestApp
  school: School
  elsewhere: School
  course: TrainingCourse
  foreign: TrainingCourse
}

const test = sharedSchoolTest()
  .extend('elsewhere', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend('course', { scope: 'file' }, ({ api, school }) => buildTraining(api, school))
  .extend('foreign', { scope: 'file', auto: true }, ({ api, elsewhere }) => buildTraining(api, elsewhere))
  .extend('student', ({ api, school }) => buildMember(api, school.organizationId, ['student']))
  .extend('enrollment', ({ api, school, course, student }) => enrol(api, school, course, student))
  .extend(
    'post',
    ({ api, school }) =>
      (url: string, body: unknown = {}, who: Member = school.instructor) =>
        api.as(who).post(url, body),
  )
  .extend(
    'record',
    ({ course, enrollment, post }) =>
      (extra: Record<string, unknown> = {}, who?: Member) =>
        post('/training/records', { enrollmentId: enrollment, lessonId: course.lesson, grade: 'S', ...extra }, who),
  )
  .extend(
    'appoint',
    ({ api, school }) =>
      (who: Member, courseId: number) =>
        expectOk(api, school.admin, 'POST', '/training/grants', {
          orgUserId: who.orgUserId,
          grant: 'checkInstructor',
          courseId,
        }),
  )
  .extend(
    'countersign',
    ({ student, post }) =>
      (id: number, who: Member = student) =>
        post(`/training/records/${id}/countersign`, {}, who),
  )
  .extend(
    'amend',
    ({ post }) =>
      (id: number, body: object = { reason: 'Wrong times' }) =>
        post(`/training/records/${id}/amend`, body),
  )
  .extend(
    'run',
    ({ api }) =>
      (sql: string, ...values: unknown[]) =>
        asOwner(api, sql, values),
  )

describe('grading a lesson (§Training record and ledger)', () => {
  test('stores the grade, the times and the tasks in the name of the caller', async ({
    school,
    course,
    student,
    enrollment,
    record,
  }) => {
    const response = await record({
      notes: 'Good flare',
      flightDeciHours: 14,
      instructionDeciHours: 14,
      groundDeciHours: 5,
      taskGrades: [{ taskId: course.task, grade: 'U', notes: 'Left of the centerline' }],
    })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      enrollmentId: enrollment,
      lessonId: course.lesson,
      status: 'graded',
      grade: 'S',
      passing: true,
      notes: 'Good flare',
      flightDeciHours: 14,
      instructionDeciHours: 14,
      simulatorDeciHours: null,
      groundDeciHours: 5,
      taskGrades: [{ taskId: course.task, grade: 'U', notes: 'Left of the centerline' }],
      instructorOrgUserId: school.instructor.orgUserId,
      student: { orgUserId: student.orgUserId, name: student.name },
      signedAt: null,
    })
    expect(response.json().warning).toBeUndefined()
  })

  test('can be repeated until the record is signed: what is left out stays, and null clears', async ({
    api,
    school,
    course,
    enrollment,
    record,
  }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson, { notes: 'Rough' })
    const changed = await record({ recordId: id, grade: 'U' })
    expect(changed.json().data).toMatchObject({ id, grade: 'U', passing: false, notes: 'Rough', flightDeciHours: 14 })
    expect((await record({ recordId: id, notes: null })).json().data).toMatchObject({ notes: null, grade: 'S' })
    await expectOk(api, school.instructor, 'POST', `/training/records/${id}/sign`)
    const late = await record({ recordId: id, grade: 'U' })
    expect(late.statusCode).toBe(409)
    expect(late.json().code).toBe('ALREADY_SIGNED')
  })

  test('starts a new record when the lesson is flown again', async ({ api, school, course, student, enrollment }) => {
    await gradeAndSign(api, school.instructor, enrollment, course.lesson, { grade: 'U' })
    await gradeAndSign(api, school.instructor, enrollment, course.lesson)
    const detail = await expectOk<{ records: { grade: string }[] }>(
      api,
      student,
      'GET',
      `/training/enrollments/${enrollment}`,
    )
    expect(detail.records.map((one) => one.grade)).toEqual(['U', 'S'])
    expect((await standing(api, student, enrollment, 'HOURS')).credited).toBe(28)
  })

  test('may name the booking of the student, which dates the record by its start', async ({
    api,
    school,
    student,
    record,
  }) => {
    const at = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z', students: [student] }
    const reservationId = await bookDual(api, school, at)
    const response = await record({ reservationId })
    expect(response.json().data).toMatchObject({ reservationId, occurredAt: '2026-11-20T10:00:00.000Z' })
  })

  test.for<[string, (given: Given) => Promise<Record<string, unknown>>, string]>([
    [
      'a lesson of another version',
      async ({ api, school }) => ({ lessonId: (await buildTraining(api, school)).lesson }),
      'lessonId',
    ],
    ['a grade off the scale', async () => ({ grade: 'A+' }), 'grade'],
    [
      'a task of another lesson',
      async ({ foreign }) => ({ taskGrades: [{ taskId: foreign.task, grade: 'S' }] }),
      'taskGrades.0.taskId',
    ],
    [
      'a task grade off the scale',
      async ({ course }) => ({ taskGrades: [{ taskId: course.task, grade: 'X' }] }),
      'taskGrades.0.grade',
    ],
    [
      'a task graded twice',
      async ({ course }) => ({
        taskGrades: [
          { taskId: course.task, grade: 'S' },
          { taskId: course.task, grade: 'U' },
        ],
      }),
      'taskGrades.1.taskId',
    ],
    ['negative time', async () => ({ flightDeciHours: -1 }), 'flightDeciHours'],
    ['time beyond reason', async () => ({ flightDeciHours: 1e12 }), 'flightDeciHours'],
    ['half a tenth', async () => ({ flightDeciHours: 1.5 }), 'flightDeciHours'],
    [
      'a booking without the student',
      async ({ api, school }) => ({ reservationId: await bookDual(api, school) }),
      'reservationId',
    ],
    [
      'a cancelled booking',
      async ({ api, school }) => {
        const reservationId = await bookDual(api, school, {
          start: '2026-12-01T10:00:00Z',
          end: '2026-12-01T12:00:00Z',
        })
        const cancelled = { cancelled_at: api.clock.now, live: false }
        await api.core.database.db.updateTable('reservation').set(cancelled).where('id', '=', reservationId).execute()
        return { reservationId }
      },
      'reservationId',
    ],
    ['a record that there is not', async () => ({ recordId: 2_000_000_000 }), 'recordId'],
    [
      'an instructor who is none',
      async ({ school }) => ({ instructorOrgUserId: school.renter.orgUserId }),
      'instructorOrgUserId',
    ],
    [
      'an instructor of another organization',
      async ({ elsewhere }) => ({ instructorOrgUserId: elsewhere.instructor.orgUserId }),
      'instructorOrgUserId',
    ],
    ['a time ahead', async () => ({ occurredAt: '2026-12-24T10:00:00Z' }), 'occurredAt'],
  ])('is refused with %s', async ([_, extra, field], { api, school, elsewhere, course, foreign, record }) => {
    const response = await record(await extra({ api, school, elsewhere, course, foreign }))
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('is refused for a record of another enrollment', async ({ api, school, course, record }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    const id = await grade(api, school.instructor, await enrol(api, school, course, other), course.lesson)
    expect((await record({ recordId: id })).json().message).toBe('recordId: the enrollment has no such record')
  })

  test('is refused for one’s own training, and so is signing, whatever the roles', async ({
    api,
    school,
    course,
    post,
    record,
  }) => {
    const learning = await buildMember(api, school.organizationId, ['admin', 'instructor'])
    const own = await enrol(api, school, course, learning)
    const refused = await record({ enrollmentId: own }, learning)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'OWN_TRAINING'])
    const id = await grade(api, school.instructor, own, course.lesson)
    expect((await post(`/training/records/${id}/sign`, {}, learning)).json().code).toBe('OWN_TRAINING')
  })

  test('ends with the enrollment, while what was flown can still be signed', async ({
    api,
    school,
    course,
    enrollment,
    post,
    record,
  }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${enrollment}/end`, { status: 'transferred' })
    expect((await record()).json().code).toBe('ENROLLMENT_ENDED')
    expect((await post(`/training/records/${id}/sign`)).statusCode).toBe(200)
  })
})

describe('grading under Part 141', () => {
  test('warns of a lesson that comes before its turn and stores the grade', async ({
    api,
    school,
    student,
    record,
  }) => {
    const approved = await buildTraining(api, school, { part141: true })
    const own = await enrol(api, school, approved, student)
    const early = await record({ enrollmentId: own, lessonId: approved.groundLesson })
    expect(early.statusCode).toBe(200)
    expect(early.json().warning).toContain('First flight, Second flight')
    await grade(api, school.instructor, own, approved.lesson)
    const inTurn = await record({ enrollmentId: own, lessonId: approved.secondLesson })
    expect(inTurn.json().warning).toBeUndefined()
  })
})

describe('signing a record (§Training record and ledger)', () => {
  test('freezes the record and posts what the lesson credits', async ({ api, school, course, enrollment, post }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson, { simulatorDeciHours: 3 })
    const response = await post(`/training/records/${id}/sign`, { signerCertificateNumber: '3141592CFI' })
    expect(response.statusCode, response.body).toBe(200)
    const { data } = response.json()
    expect(data).toMatchObject({
      status: 'signed',
      signedBy: { orgUserId: school.instructor.orgUserId, certificateNumber: '3141592CFI' },
    })
    expect(data.creditsPosted).toMatchObject([
      { requirementId: course.hours, deciHours: 14, count: null, source: 'lesson', clock: 'flight', recordId: id },
      { requirementId: course.hours, deciHours: 3, clock: 'simulator' },
      { requirementId: course.landings, deciHours: null, count: 1, clock: null },
    ])
    expect((await post(`/training/records/${id}/sign`)).json().code).toBe('ALREADY_SIGNED')
  })

  test('posts the time of a failing grade too, because it was flown', async ({
    api,
    school,
    course,
    student,
    enrollment,
  }) => {
    await gradeAndSign(api, school.instructor, enrollment, course.lesson, { grade: 'U' })
    expect((await standing(api, student, enrollment, 'HOURS')).credited).toBe(14)
    const list = await expectOk<{ progress: object }[]>(api, student, 'GET', '/training/enrollments')
    expect(list[0]?.progress).toEqual({ lessons: 3, completed: 0 })
  })

  test('takes an override of the credits, and refuses one in another measure than its requirement', async ({
    api,
    school,
    course,
    foreign,
    student,
    enrollment,
    post,
  }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    const sign = (credits: object[]) => post(`/training/records/${id}/sign`, { credits })
    const refused: [object, string][] = [
      [{ requirementId: foreign.hours, deciHours: 3 }, 'credits.0.requirementId'],
      [{ requirementId: course.hours, count: 3 }, 'credits.0.count'],
      [{ requirementId: course.landings, deciHours: 3 }, 'credits.0.deciHours'],
      [{ requirementId: course.hours, deciHours: 3, count: 3 }, 'credits.0.count'],
      [{ requirementId: course.hours }, 'credits.0.deciHours'],
      [{ requirementId: course.hours, deciHours: 0 }, 'credits.0.deciHours'],
      [{ requirementId: course.hours, deciHours: -5 }, 'credits.0.deciHours'],
      [{ requirementId: course.landings, count: 1e9 }, 'credits.0.count'],
    ]
    for (const [credit, field] of refused) {
      const response = await sign([credit])
      expect(response.statusCode).toBe(400)
      expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
    }
    const signed = await sign([{ requirementId: course.landings, count: 2 }])
    expect(signed.json().data.creditsPosted).toMatchObject([{ requirementId: course.landings, count: 2 }])
    expect((await standing(api, student, enrollment, 'HOURS')).credited).toBe(0)
  })

  test('is refused before a grade', async ({ post, record }) => {
    const { data } = (await record({ grade: null })).json()
    expect(data.status).toBe('ungraded')
    expect((await post(`/training/records/${data.id}/sign`)).json()).toMatchObject({ code: 'NOT_GRADED' })
  })

  test('is refused without notes where the lesson requires them', async ({ api, school, student, post }) => {
    const noted = await buildTraining(api, school, { lesson: { requiresNotes: true } })
    const own = await enrol(api, school, noted, student)
    const id = await grade(api, school.instructor, own, noted.lesson)
    const refused = await post(`/training/records/${id}/sign`)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'notes: are required before this lesson is signed',
    ])
    await grade(api, school.instructor, own, noted.lesson, { recordId: id, notes: 'Ready' })
    expect((await post(`/training/records/${id}/sign`)).statusCode).toBe(200)
  })

  test('twice at once posts the credit once', async ({ api, school, course, student, enrollment, post }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    const both = await Promise.all([
      post(`/training/records/${id}/sign`),
      post(`/training/records/${id}/sign`, {}, school.admin),
    ])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
    expect((await standing(api, student, enrollment, 'HOURS')).credited).toBe(14)
  })
})

describe('a stage check (§Training)', () => {
  let checked: TrainingCourse
  let own: number
  let id: number
  test.beforeAll(async ({ api, school }) => {
    checked = await buildTraining(api, school, { lesson: { isStageCheck: true } })
  })
  test.beforeEach(async ({ api, school, student }) => {
    own = await enrol(api, school, checked, student, { instructorOrgUserId: school.instructor.orgUserId })
    id = await grade(api, school.instructor, own, checked.lesson)
  })

  test('is signed by a check instructor of its course', async ({ api, school, course, post, appoint }) => {
    const checker = await buildMember(api, school.organizationId, ['instructor'])
    const sign = () => post(`/training/records/${id}/sign`, {}, checker)
    const none = await sign()
    expect([none.statusCode, none.json().code]).toEqual([403, 'CHECK_INSTRUCTOR_NEEDED'])
    await appoint(checker, course.courseId)
    expect((await sign()).json().code).toBe('CHECK_INSTRUCTOR_NEEDED')
    await appoint(checker, checked.courseId)
    expect((await sign()).statusCode).toBe(200)
  })

  test('is not signed by the student’s own instructor', async ({ api, school, post }) => {
    const grant = await api.as(school.admin).post('/training/grants', {
      orgUserId: school.instructor.orgUserId,
      grant: 'checkInstructor',
      courseId: checked.courseId,
    })
    expect([200, 409]).toContain(grant.statusCode)
    expect((await post(`/training/records/${id}/sign`)).json().code).toBe('OWN_STUDENT')
  })

  test('is not signed by who signed another lesson of the stage, not even as an admin', async ({
    api,
    school,
    post,
  }) => {
    await gradeAndSign(api, school.owner, own, checked.secondLesson)
    expect((await post(`/training/records/${id}/sign`, {}, school.owner)).json().code).toBe('OWN_STUDENT')
    expect((await post(`/training/records/${id}/sign`, {}, school.admin)).statusCode).toBe(200)
  })
})

describe('countersigning (§Training record and ledger)', () => {
  test('is allowed to the student, once, after the instructor has signed', async ({
    api,
    school,
    course,
    student,
    enrollment,
    countersign,
  }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    expect((await countersign(id)).json().code).toBe('NOT_SIGNED')
    await expectOk(api, school.instructor, 'POST', `/training/records/${id}/sign`)
    const others = await countersign(id, school.admin)
    expect([others.statusCode, others.json().code]).toEqual([403, 'NOT_YOUR_RECORD'])
    expect((await countersign(id)).json().data).toMatchObject({
      status: 'countersigned',
      countersignedBy: { orgUserId: student.orgUserId },
    })
    expect((await countersign(id)).json().code).toBe('ALREADY_SIGNED')
  })
})

describe('amending a record (§Training record and ledger)', () => {
  test('marks the original, reverses what it posted and opens a new record with its content', async ({
    api,
    school,
    course,
    student,
    enrollment,
    amend,
  }) => {
    const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson, { notes: 'Windy' })
    const { data } = (await amend(id)).json()
    expect(data).toMatchObject({ status: 'graded', amendsId: id, grade: 'S', flightDeciHours: 14, notes: 'Windy' })
    expect(await standing(api, student, enrollment, 'HOURS')).toMatchObject({ credited: 0 })
    const detail = await expectOk<{ records: object[]; credits: { deciHours: number | null; count: number | null }[] }>(
      api,
      student,
      'GET',
      `/training/enrollments/${enrollment}`,
    )
    expect(detail.records[0]).toMatchObject({
      id,
      status: 'amended',
      amendedById: data.id,
      amendedBy: { orgUserId: school.instructor.orgUserId },
      amendReason: 'Wrong times',
    })
    expect(detail.credits.map(({ deciHours, count }) => deciHours ?? count)).toEqual([14, 1, -14, -1])
    await grade(api, school.instructor, enrollment, course.lesson, { recordId: data.id, flightDeciHours: 11 })
    await expectOk(api, school.instructor, 'POST', `/training/records/${data.id}/sign`)
    expect(await standing(api, student, enrollment, 'HOURS')).toMatchObject({ credited: 11 })
  })

  test('does not reverse again what was reversed by hand', async ({
    api,
    school,
    course,
    student,
    enrollment,
    amend,
  }) => {
    const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson)
    const before = await expectOk<{ credits: { id: number }[] }>(
      api,
      student,
      'GET',
      `/training/enrollments/${enrollment}`,
    )
    const url = `/training/credits/${before.credits[0]?.id}/reverse`
    await expectOk(api, school.admin, 'POST', url, { reason: 'Counted elsewhere' })
    expect((await amend(id)).statusCode).toBe(200)
    expect(await standing(api, student, enrollment, 'HOURS')).toMatchObject({ credited: 0 })
  })

  test('needs a signed record that was not amended, and a reason', async ({
    api,
    school,
    course,
    student,
    enrollment,
    post,
    amend,
  }) => {
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    expect((await amend(id)).json().code).toBe('NOT_SIGNED')
    await expectOk(api, school.instructor, 'POST', `/training/records/${id}/sign`)
    expect((await amend(id, {})).statusCode).toBe(400)
    expect((await amend(id, { reason: ' ' })).statusCode).toBe(400)
    expect((await amend(id)).statusCode).toBe(200)
    expect((await amend(id)).json().code).toBe('ALREADY_AMENDED')
    expect((await post(`/training/records/${id}/countersign`, {}, student)).json().code).toBe('ALREADY_AMENDED')
  })
})

describe('the database refuses', () => {
  test.for([
    "update training_record set grade = 'U' where id = $1",
    "update training_record set notes = 'x' where id = $1",
    'update training_record set flight_tenths = 99 where id = $1',
    'update training_record set signed_at = null, signed_by = null where id = $1',
    'update training_record set signed_by = graded_by + 1 where id = $1',
    'delete from training_record where id = $1',
  ])('to change what is signed: %s', async (sql, { api, school, course, enrollment, run }) => {
    const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson)
    await expect(run(sql, id)).rejects.toThrow('a signed training record cannot change')
  })

  test('to remove a countersignature or an amendment', async ({ api, school, course, student, enrollment, run }) => {
    const id = await gradeAndSign(api, school.instructor, enrollment, course.lesson)
    await expectOk(api, student, 'POST', `/training/records/${id}/countersign`)
    await expect(
      run('update training_record set countersigned_at = null, countersigned_by = null where id = $1', id),
    ).rejects.toThrow('cannot change')
    await expectOk(api, school.instructor, 'POST', `/training/records/${id}/amend`, { reason: 'Typo' })
    await expect(run("update training_record set amend_reason = 'x' where id = $1", id)).rejects.toThrow(
      'cannot change',
    )
  })

  test('to change or delete an entry of the credit ledger', async ({ api, school, course, enrollment, run }) => {
    await gradeAndSign(api, school.instructor, enrollment, course.lesson)
    await expect(run('update credit_entry set tenths = 99 where enrollment_id = $1', enrollment)).rejects.toThrow(
      'append-only',
    )
    await expect(run('delete from credit_entry where enrollment_id = $1', enrollment)).rejects.toThrow('append-only')
  })

  test('a record of a lesson that is not in the enrollment’s version', async ({
    api,
    school,
    course,
    enrollment,
    run,
  }) => {
    const other = await buildTraining(api, school)
    const id = await grade(api, school.instructor, enrollment, course.lesson)
    await expect(run('update training_record set lesson_id = $1 where id = $2', other.lesson, id)).rejects.toThrow(
      'foreign key',
    )
  })
})
