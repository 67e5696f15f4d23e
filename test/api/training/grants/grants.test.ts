import { describe, expect } from 'vitest'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, grade, gradeAndSign, type TrainingCourse } from '../../../support/training.ts'

interface Given {
  course: TrainingCourse
}

const test = sharedSchoolTest()
  .extend('elsewhere', { scope: 'file' }, ({ api }) => buildSchool(api))
  .extend('course', { scope: 'file' }, ({ api, school }) => buildTraining(api, school, { feeCents: 0 }))
  .extend('enrollment', { scope: 'file', auto: true }, async ({ api, school, course }) => {
    const id = await enrol(api, school, course, school.student)
    await gradeAndSign(api, school.instructor, id, course.lesson)
    return id
  })
  .extend(
    'give',
    ({ api, school }) =>
      (body: object, who: Member = school.admin) =>
        api.as(who).post('/training/grants', body),
  )
  .extend('holder', ({ api, school, course }) => async (grant: string): Promise<Member> => {
    const member = await buildMember(api, school.organizationId, ['renter'])
    const courseId = grant === 'checkInstructor' ? course.courseId : undefined
    await expectOk(api, school.admin, 'POST', '/training/grants', { orgUserId: member.orgUserId, grant, courseId })
    return member
  })
  .extend(
    'read',
    ({ api }) =>
      (who: Member, query = '') =>
        expectOk<{ enrollmentId: number; lessons: { lessonId: number; completed: boolean }[] }[]>(
          api,
          who,
          'GET',
          `/training/candidates${query}`,
        ),
  )

describe('a grant (§Training)', () => {
  test('is given, listed, shown to its holder and taken back', async ({ api, school, course, give }) => {
    const member = await buildMember(api, school.organizationId, ['instructor'])
    const given = await give({ orgUserId: member.orgUserId, grant: 'checkInstructor', courseId: course.courseId })
    expect(given.statusCode, given.body).toBe(200)
    const { data } = given.json()
    expect(data).toMatchObject({
      orgUserId: member.orgUserId,
      person: { name: member.name },
      grant: 'checkInstructor',
      courseId: course.courseId,
      course: { id: course.courseId, name: 'Private pilot' },
    })
    expect(await expectOk(api, school.admin, 'GET', '/training/grants')).toContainEqual(data)
    expect(await expectOk(api, member, 'GET', '/training/grants/mine')).toEqual({
      grants: [data],
      implied: [],
      mayGrade: true,
    })
    const gone = await api.as(school.owner).delete(`/training/grants/${data.id}`)
    expect([gone.statusCode, gone.json().data]).toEqual([200, { id: data.id }])
    expect((await api.call('DELETE', `/training/grants/${data.id}`, { token: school.owner.token })).statusCode).toBe(
      404,
    )
    expect(await expectOk(api, member, 'GET', '/training/grants/mine')).toMatchObject({ grants: [] })
  })

  test('of each of the four kinds is implied for an admin, and an owner counts as one', async ({ api, school }) => {
    const all = ['configureTraining', 'manageEnrollment', 'checkInstructor', 'auditor']
    for (const who of [school.owner, school.admin]) {
      expect(await expectOk(api, who, 'GET', '/training/grants/mine')).toEqual({
        grants: [],
        implied: all,
        mayGrade: true,
      })
    }
    expect(await expectOk(api, school.student, 'GET', '/training/grants/mine')).toEqual({
      grants: [],
      implied: [],
      mayGrade: false,
    })
    const catalog = await expectOk<{ grant: string }[]>(api, school.renter, 'GET', '/training/grants/catalog')
    expect(catalog.map(({ grant }) => grant)).toEqual(all)
  })

  test.for<[string, (given: Given) => object, string]>([
    ['a check instructor without a course', () => ({ grant: 'checkInstructor' }), 'courseId'],
    ['a course where none belongs', ({ course }) => ({ grant: 'auditor', courseId: course.courseId }), 'courseId'],
    ['a course that there is not', () => ({ grant: 'checkInstructor', courseId: 2_000_000_000 }), 'courseId'],
    ['a strange grant', () => ({ grant: 'everything' }), 'grant'],
  ])('is refused with %s', async ([_, extra, field], { school, course, give }) => {
    const response = await give({ orgUserId: school.renter.orgUserId, ...extra({ course }) })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}:`), response.json().message).toBe(true)
  })

  test('is held once by one member', async ({ give, holder }) => {
    const member = await holder('auditor')
    const again = await give({ orgUserId: member.orgUserId, grant: 'auditor' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_EXISTS'])
  })

  test('ends with the membership of its holder', async ({ api, school, holder }) => {
    const member = await holder('auditor')
    await api.as(school.admin).delete(`/orgUsers/${member.orgUserId}`)
    const left = await expectOk<{ orgUserId: number }[]>(api, school.admin, 'GET', '/training/grants')
    expect(left.map(({ orgUserId }) => orgUserId)).not.toContain(member.orgUserId)
  })
})

describe('what a grant opens', () => {
  test('includes the whole lists of enrollments and endorsements for manageEnrollment and auditor', async ({
    api,
    school,
    holder,
  }) => {
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: school.student.orgUserId,
      renderedText: 'Ready',
      title: 'Solo',
    })
    const seen = async (grant: string) => {
      const member = await holder(grant)
      const lengths = await Promise.all(
        ['enrollments', 'endorsements'].map(
          async (what) => (await expectOk<object[]>(api, member, 'GET', `/training/${what}`)).length > 0,
        ),
      )
      return lengths
    }
    expect(await seen('configureTraining')).toEqual([false, false])
    expect(await seen('checkInstructor')).toEqual([false, false])
    expect(await seen('manageEnrollment')).toEqual([true, false])
    expect(await seen('auditor')).toEqual([true, true])
  })
})

describe('the candidates of a close-out (§Training, GET /training/candidates)', () => {
  test('are the lessons of each open enrollment with their tasks, unfinished first', async ({
    school,
    course,
    enrollment,
    read,
  }) => {
    expect(await read(school.student)).toMatchObject([
      {
        enrollmentId: enrollment,
        course: { id: course.courseId, name: 'Private pilot' },
        lessons: [
          { lessonId: course.secondLesson, name: 'Second flight', kind: 'flight', completed: false, tasks: [] },
          { lessonId: course.groundLesson, completed: false },
          {
            lessonId: course.lesson,
            completed: true,
            tasks: [
              {
                id: course.task,
                name: 'Normal Takeoff and Climb',
                acsCode: 'PA.IV.A',
                standard: 'Holds the centerline',
              },
            ],
          },
        ],
      },
    ])
  })

  test('are completed without a signature where the lesson requires none, also in the list of enrollments', async ({
    api,
    school,
    read,
  }) => {
    const casual = await buildTraining(api, school, { lesson: { requiresSignoff: false } })
    const learner = await buildMember(api, school.organizationId, ['student'])
    const own = await enrol(api, school, casual, learner)
    await grade(api, school.instructor, own, casual.lesson)
    await grade(api, school.instructor, own, casual.secondLesson)
    const [entry] = await read(learner)
    expect(entry?.lessons.filter(({ completed }) => completed).map(({ lessonId }) => lessonId)).toEqual([casual.lesson])
    const [listed] = await expectOk<{ progress: object }[]>(api, learner, 'GET', '/training/enrollments')
    expect(listed?.progress).toEqual({ lessons: 3, completed: 1 })
  })

  test.for<[string, number]>([
    ['dual', 2],
    ['solo', 2],
    ['ground', 1],
    ['sim', 0],
    ['rental', 0],
    ['guest', 0],
  ])('of a %s number %i', async ([type, count], { school, read }) => {
    const entries = await read(school.student, `?type=${type}`)
    expect(entries.flatMap(({ lessons }) => lessons)).toHaveLength(count)
    expect(entries).toHaveLength(count > 0 ? 1 : 0)
  })

  test('are readable for anybody’s training by staff, and for their own by everybody else', async ({
    school,
    elsewhere,
    read,
  }) => {
    const query = `?orgUserId=${school.student.orgUserId}`
    expect(await read(school.instructor, query)).toHaveLength(1)
    expect(await read(school.dispatcher, query)).toHaveLength(1)
    expect(await read(school.renter, query)).toEqual([])
    expect(await read(elsewhere.instructor, query)).toEqual([])
  })
})
