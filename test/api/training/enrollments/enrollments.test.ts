import { describe, expect } from 'vitest'
import { NOW, type TestApp } from '../../../support/app.ts'
import { buildMember, type Member, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, grade, gradeAndSign, standing, type TrainingCourse } from '../../../support/training.ts'

interface Given {
  api: TestApp
  school: School
  course: TrainingCourse
  approved: TrainingCourse
}

const test = sharedSchoolTest()
  .extend('course', { scope: 'file' }, ({ api, school }) => buildTraining(api, school, { feeCents: 25_000 }))
  .extend('approved', { scope: 'file' }, ({ api, school }) =>
    buildTraining(api, school, { part141: true, hours: { maxTransferBps: 5000 } }),
  )
  .extend('student', ({ api, school }) => buildMember(api, school.organizationId, ['student']))
  .extend(
    'post',
    ({ api, school }) =>
      (url: string, body: unknown = {}, who: Member = school.admin) =>
        api.as(who).post(url, body),
  )
  .extend(
    'read',
    ({ api }) =>
      (id: number, who: Member) =>
        api.as(who).get(`/training/enrollments/${id}`),
  )
  .extend(
    'certify',
    ({ post }) =>
      (id: number, who: Member) =>
        post(`/training/enrollments/${id}/certify`, {}, who),
  )
  .extend('meet', ({ api, school, approved }) => async (id: number, syllabus: TrainingCourse = approved) => {
    const credit = (requirementId: number, amount: object) =>
      expectOk(api, school.admin, 'POST', '/training/credits', {
        enrollmentId: id,
        requirementId,
        source: 'manual',
        notes: 'Logbook',
        ...amount,
      })
    await credit(syllabus.hours, { deciHours: 100 })
    await credit(syllabus.landings, { count: 3 })
  })
  .extend(
    'graduate',
    ({ post }) =>
      (id: number) =>
        post(`/training/enrollments/${id}/graduate`, { graduationCertificateNumber: 'G-1' }),
  )
  .extend(
    'plan',
    ({ api, school }) =>
      (id: number, body: object, who: Member = school.instructor) =>
        api.as(who).patch(`/training/enrollments/${id}`, body),
  )
  .extend(
    'credit',
    ({ school, approved, post }) =>
      (extra: Record<string, unknown> = {}, who: Member = school.admin) =>
        post(
          '/training/credits',
          { enrollmentId: id, requirementId: approved.hours, source: 'transfer_61', deciHours: 30, ...extra },
          who,
        ),
  )

test.beforeEach(({ api }) => {
  api.clock.now = NOW
})

/** The enrollment to which the tests of credits post. */
let id: number

describe('enrolling (§Enrollment)', () => {
  test('stores the present fee and the certificate number', async ({ api, school, course, student, post, read }) => {
    const response = await post('/training/enrollments', {
      versionId: course.versionId,
      orgUserId: student.orgUserId,
      enrollmentCertificateNumber: '2026-17',
      instructorOrgUserId: school.instructor.orgUserId,
    })
    expect(response.statusCode, response.body).toBe(200)
    const { data } = response.json()
    expect(data).toMatchObject({
      status: 'enrolled',
      student: { orgUserId: student.orgUserId, name: student.name },
      course: { id: course.courseId, regulatoryPart: 'part61' },
      version: { id: course.versionId, label: 'Rev A', state: 'published' },
      instructor: { orgUserId: school.instructor.orgUserId },
      enrollmentFeeCents: 25_000,
      enrollmentFeeLabel: 'Books and headset',
      feeInvoice: null,
      enrollmentCertificateNumber: '2026-17',
      graduationCertificateNumber: null,
      certifiedAt: null,
      progress: { lessons: 3, completed: 0 },
    })
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${course.courseId}`, { enrollmentFeeCents: 99_000 })
    const after = (await read(data.id, student)).json().data
    expect(after.enrollmentFeeCents).toBe(25_000)
  })

  test('happens once in a course while the enrollment is open, and again after its end', async ({
    api,
    school,
    course,
    student,
    post,
  }) => {
    const id = await enrol(api, school, course, student)
    const body = { versionId: course.versionId, orgUserId: student.orgUserId }
    const again = await post('/training/enrollments', body)
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${id}/end`, { status: 'terminated' })
    expect((await post('/training/enrollments', body)).statusCode).toBe(200)
  })

  test('twice at once creates one enrollment', async ({ course, student, post }) => {
    const body = { versionId: course.versionId, orgUserId: student.orgUserId }
    const both = await Promise.all([post('/training/enrollments', body), post('/training/enrollments', body)])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })

  test('is refused until the version is published', async ({ api, school, student, post }) => {
    const draft = await buildTraining(api, school, { publish: false })
    const body = { versionId: draft.versionId, orgUserId: student.orgUserId }
    const refused = await post('/training/enrollments', body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'VERSION_IS_DRAFT'])
  })

  test.for<[string, (given: Pick<Given, 'api' | 'school'>) => Promise<Record<string, unknown>>, string]>([
    [
      'an instructor who is none',
      async ({ school }) => ({ instructorOrgUserId: school.renter.orgUserId }),
      'instructorOrgUserId',
    ],
    [
      'the student as their own instructor',
      async ({ api, school }) => {
        const { orgUserId } = await buildMember(api, school.organizationId, ['student', 'instructor'])
        return { orgUserId, instructorOrgUserId: orgUserId }
      },
      'instructorOrgUserId',
    ],
    ['no student', async () => ({ orgUserId: undefined }), 'orgUserId'],
  ])('is refused for %s', async ([_, extra, field], { api, school, course, student, post }) => {
    const body = {
      versionId: course.versionId,
      orgUserId: student.orgUserId,
      ...(await extra({ api, school })),
    }
    const response = await post('/training/enrollments', body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })
})

describe('the list of enrollments (§Training)', () => {
  test('shows staff everybody’s and everybody else their own', async ({ api, school, course, approved, student }) => {
    const mine = await enrol(api, school, course, student)
    const other = await buildMember(api, school.organizationId, ['student'])
    const theirs = await enrol(api, school, course, other)
    const ids = async (who: Member, query = '') =>
      (await expectOk<{ id: number }[]>(api, who, 'GET', `/training/enrollments${query}`)).map(({ id }) => id)
    for (const role of ['owner', 'admin', 'dispatcher', 'instructor'] as const) {
      expect(await ids(school[role])).toEqual(expect.arrayContaining([mine, theirs]))
    }
    expect(await ids(student)).toEqual([mine])
    expect(await ids(student, `?orgUserId=${other.orgUserId}`)).toEqual([mine])
    expect(await ids(school.technician)).toEqual([])
    expect(await ids(school.admin, `?orgUserId=${other.orgUserId}`)).toEqual([theirs])
    expect(await ids(school.admin, `?courseId=${approved.courseId}&orgUserId=${other.orgUserId}`)).toEqual([])
    expect(await ids(school.admin, `?status=graduated&orgUserId=${other.orgUserId}`)).toEqual([])
    const total = await api.as(school.admin).get('/training/enrollments?limit=1&sort=student.name')
    expect(Number(total.headers['x-total-count'])).toBeGreaterThanOrEqual(2)
    expect(total.json().data).toHaveLength(1)
    const strange = await api.as(school.admin).get('/training/enrollments?status=x')
    expect(strange.statusCode).toBe(400)
  })
})

describe('the detail of an enrollment (§Training)', () => {
  test('is not for another student', async ({ api, school, course, student, read }) => {
    const id = await enrol(api, school, course, student)
    expect((await read(id, school.student)).statusCode).toBe(403)
  })

  test('has the syllabus, the records, the ledger, the endorsements and the standing of each requirement', async ({
    api,
    school,
    course,
    student,
    read,
  }) => {
    const id = await enrol(api, school, course, student)
    await gradeAndSign(api, school.instructor, id, course.lesson)
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: student.orgUserId,
      enrollmentId: id,
      renderedText: 'Ready',
      title: 'Solo',
    })
    const { data } = (await read(id, student)).json()
    expect(data.version.stages[0].lessons).toHaveLength(3)
    expect(data.records).toMatchObject([{ lessonId: course.lesson, status: 'signed' }])
    expect(data.credits).toMatchObject([
      { code: 'HOURS', deciHours: 14 },
      { code: 'LANDINGS', count: 1 },
    ])
    expect(data.endorsements).toMatchObject([{ title: 'Solo', renderedText: 'Ready' }])
    expect(data.progress).toEqual({ lessons: 3, completed: 1 })
    expect(data.standing).toEqual([
      {
        requirementId: course.hours,
        code: 'HOURS',
        label: 'Flight time',
        source: 'part61',
        requiredDeciHours: 100,
        credited: 14,
        disallowed: { simulator: 0, transfer: 0, stale: 0 },
        remaining: 86,
        met: false,
      },
      {
        requirementId: course.landings,
        code: 'LANDINGS',
        label: 'Landings',
        source: 'part61',
        requiredCount: 3,
        credited: 1,
        disallowed: { simulator: 0, transfer: 0, stale: 0 },
        remaining: 2,
        met: false,
      },
    ])
  })
})

describe('certifying (§Enrollment)', () => {
  test('records who and when, and is undone by a later change of records or credits', async ({
    api,
    school,
    approved,
    student,
    read,
  }) => {
    const id = await enrol(api, school, approved, student)
    const certify = () => expectOk(api, school.admin, 'POST', `/training/enrollments/${id}/certify`)
    const certified = async () => (await read(id, student)).json().data.certifiedAt !== null
    expect(await certify()).toMatchObject({
      certifiedAt: '2026-11-21T12:00:00.000Z',
      certifiedBy: { orgUserId: school.admin.orgUserId },
    })
    const record = await grade(api, school.instructor, id, approved.lesson, { occurredAt: '2026-11-20T18:00:00Z' })
    expect(await certified()).toBe(false)
    await certify()
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    await expectOk(api, school.instructor, 'POST', `/training/records/${record}/sign`)
    expect(await certified()).toBe(false)
    await certify()
    await expectOk(api, student, 'POST', `/training/records/${record}/countersign`)
    expect(await certified()).toBe(true)
    await expectOk(api, school.admin, 'POST', '/training/credits', {
      enrollmentId: id,
      requirementId: approved.landings,
      source: 'manual',
      count: 1,
      notes: 'Logbook',
    })
    expect(await certified()).toBe(false)
  })
})

describe('certifying a Part 141 record (14 CFR 141.101(c))', () => {
  test('is for the chief instructor of the course; anybody else’s certification says that it is not theirs', async ({
    api,
    school,
    student,
    certify,
  }) => {
    const chief = await buildMember(api, school.organizationId, ['instructor'])
    const own = await buildTraining(api, school, { part141: true })
    const course = (body: object) => api.as(school.admin).patch(`/training/courses/${own.courseId}`, body)
    expect((await course({ chiefInstructorOrgUserId: school.renter.orgUserId })).json().message).toMatch(
      /^chiefInstructorOrgUserId:/,
    )
    const named = await course({ chiefInstructorOrgUserId: chief.orgUserId })
    expect(named.json().data.chiefInstructor).toMatchObject({ orgUserId: chief.orgUserId })
    const id = await enrol(api, school, own, student)
    expect((await certify(id, school.instructor)).statusCode).toBe(403)
    const asAdmin = (await certify(id, school.admin)).json()
    expect(asAdmin.data.certifiedAs).toBe('admin')
    expect(asAdmin.warning).toMatch(/chief instructor/)
    const asChief = (await certify(id, chief)).json()
    expect(asChief.data).toMatchObject({ certifiedAs: 'chief_instructor', certifiedBy: { orgUserId: chief.orgUserId } })
    expect(asChief.warning).toBeUndefined()
  })

  test('happens after the student left, too, and a signature for earlier training leaves it, says so and is counted', async ({
    api,
    school,
    approved,
    student,
    read,
    certify,
  }) => {
    const id = await enrol(api, school, approved, student)
    const open = await grade(api, school.instructor, id, approved.secondLesson, { occurredAt: '2026-11-20T18:00:00Z' })
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${id}/end`, { status: 'terminated' })
    expect((await certify(id, school.admin)).json().data).toMatchObject({ status: 'terminated', certifiedAs: 'admin' })
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    const signed = await expectOk(api, school.instructor, 'POST', `/training/records/${open}/sign`, {})
    expect(signed).toMatchObject({ signedAfterCertification: true })
    expect((await read(id, student)).json().data).toMatchObject({ certifiedAs: 'admin', signedSinceCertification: 1 })
  })
})

describe('graduating (§Enrollment)', () => {
  test('under Part 141 needs the FAA requirements and certification, and names what is missing', async ({
    api,
    school,
    approved,
    student,
    meet,
    graduate,
  }) => {
    const id = await enrol(api, school, approved, student)
    const early = await graduate(id)
    expect([early.statusCode, early.json().code]).toEqual([409, 'REQUIREMENTS_UNMET'])
    expect(early.json().details.obstacles).toEqual([
      { requirementId: approved.hours, message: 'Flight time is not met' },
      { requirementId: approved.landings, message: 'Landings is not met' },
      { message: 'the training record is not certified' },
    ])
    await meet(id)
    expect((await graduate(id)).json().details.obstacles).toEqual([{ message: 'the training record is not certified' }])
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${id}/certify`)
    expect((await graduate(id)).json().data).toMatchObject({
      status: 'graduated',
      graduationCertificateNumber: 'G-1',
      endedAt: '2026-11-21T12:00:00.000Z',
    })
    expect((await graduate(id)).json().code).toBe('ENROLLMENT_ENDED')
  })

  test('under Part 61 names what is not met in `warnings`, and has none when all is met', async ({
    api,
    school,
    course,
    student,
    meet,
    graduate,
  }) => {
    const warningsOf = async (id: number) => {
      const response = await graduate(id)
      return [response.statusCode, response.json().warnings]
    }
    const early = await enrol(api, school, course, student)
    expect(await warningsOf(early)).toEqual([200, ['Flight time is not met', 'Landings is not met']])
    const done = await enrol(api, school, course, student)
    await meet(done, course)
    expect(await warningsOf(done)).toEqual([200, undefined])
  })

  test('under Part 61 is blocked by nothing, and closes the record except for the student’s signature', async ({
    api,
    school,
    course,
    student,
    post,
    graduate,
  }) => {
    const id = await enrol(api, school, course, student)
    const signed = await gradeAndSign(api, school.instructor, id, course.lesson)
    const open = await grade(api, school.instructor, id, course.secondLesson)
    expect((await graduate(id)).statusCode).toBe(200)
    const refused = await Promise.all([
      post('/training/records', { enrollmentId: id, lessonId: course.lesson, grade: 'S' }, school.instructor),
      post(`/training/records/${open}/sign`, {}, school.instructor),
      post(`/training/records/${signed}/amend`, { reason: 'x' }, school.instructor),
      post('/training/credits', { enrollmentId: id, requirementId: course.hours, source: 'simulator', deciHours: 5 }),
      post(`/training/enrollments/${id}/certify`),
      post(`/training/enrollments/${id}/end`, { status: 'terminated' }),
    ])
    expect(refused.map((one) => [one.statusCode, one.json().code])).toEqual(
      refused.map(() => [409, 'ENROLLMENT_ENDED']),
    )
    expect((await post(`/training/records/${signed}/countersign`, {}, student)).statusCode).toBe(200)
  })
})

describe('planning the test of a student (§Enrollment)', () => {
  test('judges recency at the planned test, and keeps what is left out', async ({ api, school, student, plan }) => {
    const recent = await buildTraining(api, school, { part141: true, hours: { minDeciHours: 30, recencyDays: 60 } })
    const id = await enrol(api, school, recent, student)
    await expectOk(api, school.admin, 'POST', '/training/credits', {
      enrollmentId: id,
      requirementId: recent.hours,
      source: 'manual',
      notes: 'Preparation',
      deciHours: 30,
      occurredAt: '2026-11-20T18:00:00Z',
    })
    expect(await standing(api, student, id, 'HOURS')).toMatchObject({ met: true })
    // The 60th day after 20 November is 19 January.
    await expectOk(api, school.instructor, 'PATCH', `/training/enrollments/${id}`, {
      plannedTestAt: '2027-01-20T18:00:00Z',
    })
    expect(await standing(api, student, id, 'HOURS')).toMatchObject({ met: false, disallowed: { stale: 30 } })
    const planned = await plan(id, { plannedApplicationAt: '2027-01-10T18:00:00Z', instructorOrgUserId: null })
    expect(planned.json().data).toMatchObject({
      plannedTestAt: '2027-01-20T18:00:00.000Z',
      plannedApplicationAt: '2027-01-10T18:00:00.000Z',
      instructor: null,
    })
    await expectOk(api, school.instructor, 'PATCH', `/training/enrollments/${id}`, { plannedTestAt: null })
    expect(await standing(api, student, id, 'HOURS')).toMatchObject({ met: true })
  })

  test('is refused for students, for an instructor who is none, and after the end', async ({
    api,
    school,
    course,
    student,
    plan,
  }) => {
    const id = await enrol(api, school, course, student)
    expect((await plan(id, { plannedTestAt: '2027-01-20T18:00:00Z' }, student)).statusCode).toBe(403)
    expect((await plan(id, { instructorOrgUserId: school.renter.orgUserId })).json().message).toMatch(
      /^instructorOrgUserId:/,
    )
    await expectOk(api, school.admin, 'POST', `/training/enrollments/${id}/end`, { status: 'terminated' })
    expect((await plan(id, { plannedTestAt: null })).json().code).toBe('ENROLLMENT_ENDED')
  })

  test('is refused for a student who has left, whose plan can still be cleared', async ({
    api,
    school,
    course,
    student,
    plan,
  }) => {
    const id = await enrol(api, school, course, student)
    await plan(id, { plannedTestAt: '2027-01-20T18:00:00Z' })
    const left = { removed_at: api.clock.now }
    await api.core.database.db.updateTable('membership').set(left).where('id', '=', student.orgUserId).execute()
    const refused = await plan(id, { plannedTest: { at: '2027-01-21T18:00:00Z' } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe('plannedTest.at: there is no such member')
    expect((await plan(id, { plannedTestAt: null })).statusCode).toBe(200)
  })
})

describe('ending an enrollment (§Enrollment)', () => {
  test('records how and why, once', async ({ api, school, course, student, post }) => {
    const id = await enrol(api, school, course, student)
    const end = (body: object) => post(`/training/enrollments/${id}/end`, body)
    expect((await end({ status: 'graduated' })).statusCode).toBe(400)
    expect((await end({ status: 'transferred', reason: 'Moved to Oregon' })).json().data).toMatchObject({
      status: 'transferred',
      endReason: 'Moved to Oregon',
    })
    expect((await end({ status: 'terminated' })).json().code).toBe('ENROLLMENT_ENDED')
  })
})

describe('credits that are posted by hand (§Training record and ledger)', () => {
  test.beforeEach(async ({ api, school, approved, student }) => {
    id = await enrol(api, school, approved, student)
  })

  test('are posted whole, and what exceeds the ceiling is disallowed', async ({
    api,
    school,
    approved,
    student,
    credit,
  }) => {
    const response = await credit({ deciHours: 80, occurredAt: '2025-03-01T00:00:00Z', notes: 'From Acme Flying' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      requirementId: approved.hours,
      code: 'HOURS',
      deciHours: 80,
      count: null,
      source: 'transfer_61',
      notes: 'From Acme Flying',
      occurredAt: '2025-03-01T00:00:00.000Z',
      reversesId: null,
      createdBy: { orgUserId: school.admin.orgUserId },
    })
    // Half of 10.0 hours.
    expect(await standing(api, student, id, 'HOURS')).toMatchObject({ credited: 50, disallowed: { transfer: 30 } })
  })

  test.for<[string, (given: Pick<Given, 'course' | 'approved'>) => Promise<Record<string, unknown>>, string]>([
    ['hours and a count', async () => ({ count: 3 }), 'count'],
    ['neither', async () => ({ deciHours: undefined }), 'deciHours'],
    ['nothing', async () => ({ deciHours: 0 }), 'deciHours'],
    ['negative hours', async () => ({ deciHours: -5 }), 'deciHours'],
    ['a negative count', async () => ({ deciHours: null, count: -5 }), 'count'],
    ['hours beyond reason', async () => ({ deciHours: 1e15 }), 'deciHours'],
    ['a count of hours', async () => ({ deciHours: null, count: 3 }), 'count'],
    ['hours of a count', async ({ approved }) => ({ requirementId: approved.landings }), 'deciHours'],
    ['credit by hand without notes', async () => ({ source: 'manual' }), 'notes'],
    ['credit by hand with blank notes', async () => ({ source: 'manual', notes: '  ' }), 'notes'],
    ['a strange source', async () => ({ source: 'friend' }), 'source'],
    ['the future', async () => ({ occurredAt: '2027-01-01T00:00:00Z' }), 'occurredAt'],
    ['a bare time', async () => ({ occurredAt: '2026-01-01T00:00:00' }), 'occurredAt'],
    ['a requirement of another version', async ({ course }) => ({ requirementId: course.hours }), 'requirementId'],
  ])('are refused with %s', async ([_, extra, field], { course, approved, credit }) => {
    const response = await credit(await extra({ course, approved }))
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('are reversed once by a negative entry that cannot be reversed itself', async ({
    api,
    student,
    post,
    read,
    credit,
  }) => {
    const posted = (await credit()).json().data
    const reverse = (entry: number, body: object = { reason: 'Typo' }) =>
      post(`/training/credits/${entry}/reverse`, body)
    expect((await reverse(posted.id, {})).statusCode).toBe(400)
    const reversal = (await reverse(posted.id)).json().data
    expect(reversal).toMatchObject({ deciHours: -30, reversesId: posted.id, notes: 'Typo' })
    expect((await reverse(posted.id)).json().code).toBe('ALREADY_REVERSED')
    expect((await reverse(reversal.id)).json().code).toBe('IS_REVERSAL')
    expect((await reverse(2_000_000_000)).statusCode).toBe(404)
    const detail = (await read(id, student)).json().data
    expect(detail.credits).toMatchObject([{ id: posted.id, reversedById: reversal.id }, { id: reversal.id }])
    expect(await standing(api, student, id, 'HOURS')).toMatchObject({ credited: 0 })
  })

  test('are reversed once by two reversals at once', async ({ post, credit }) => {
    const posted = (await credit()).json().data
    const url = `/training/credits/${posted.id}/reverse`
    const both = await Promise.all([post(url, { reason: 'a' }), post(url, { reason: 'b' })])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })
})
