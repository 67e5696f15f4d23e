import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, type TrainingCourse } from '../../../support/training.ts'

interface Booking {
  id: number
  lesson: { id: number; name: string } | null
  lessons: { orgUserId: number; lessonId: number }[]
}

const test = schoolTest()

let course: TrainingCourse
let other: Member
/** Two students of a course. */
test.beforeEach(async ({ api, school }) => {
  course = await buildTraining(api, school, { lesson: { objectives: 'Straight and level flight' } })
  other = await buildMember(api, school.organizationId, ['student'])
  for (const student of [school.student, other]) await enrol(api, school, course, student)
})

describe('the planned lesson of a booking (§Reservations)', () => {
  test('is that of every student on it, and shows those on it and staff what to do', async ({ api, school }) => {
    const { student, dispatcher, renter } = school
    const body = { ...dualBody(school, { students: [student, other] }), lessonId: course.lesson }
    const booked = await expectOk<Booking>(api, dispatcher, 'POST', '/reservations', body)
    const planned = [student, other].map(({ orgUserId }) => ({ orgUserId, lessonId: course.lesson }))
    const lesson = {
      id: course.lesson,
      name: 'First flight',
      kind: 'flight',
      objectives: 'Straight and level flight',
      completionStandards: null,
      tasks: [
        { id: course.task, name: 'Normal Takeoff and Climb', acsCode: 'PA.IV.A', standard: 'Holds the centerline' },
      ],
    }
    expect(booked).toMatchObject({ lesson, lessons: planned })
    const read = (who: Member) => expectOk<Booking>(api, who, 'GET', `/reservations/${booked.id}`)
    expect(await read(other)).toMatchObject({ lesson, lessons: planned })
    expect(await read(renter)).toMatchObject({ lesson: null, lessons: [] })
  })

  test('is each student’s own where they differ, and changes and goes without the booking’s', async ({
    api,
    school,
  }) => {
    const { student, dispatcher, instructor } = school
    const lessons = [
      { orgUserId: student.orgUserId, lessonId: course.lesson },
      { orgUserId: other.orgUserId, lessonId: course.secondLesson },
    ]
    const body = { ...dualBody(school, { students: [student, other] }), lessons }
    const { id } = await expectOk<Booking>(api, dispatcher, 'POST', '/reservations', body)
    const path = `/reservations/${id}`
    expect(await expectOk(api, other, 'GET', path)).toMatchObject({ lesson: { name: 'Second flight' }, lessons })
    expect(await expectOk(api, student, 'GET', path)).toMatchObject({ lesson: { name: 'First flight' } })
    expect(await expectOk(api, instructor, 'PATCH', path, { title: 'Stalls' })).toMatchObject({ lessons })
    const last = lessons.slice(1)
    expect(await expectOk(api, instructor, 'PATCH', path, { lessons: last })).toMatchObject({
      title: 'Stalls',
      lessons: last,
    })
    expect(await expectOk(api, student, 'PATCH', path, { lessonId: null })).toMatchObject({ lesson: null, lessons: [] })
    const history = await expectOk<{ action: string }[]>(api, dispatcher, 'GET', `${path}/history`)
    expect(history.filter(({ action }) => action === 'lessons_planned')).toHaveLength(2)
  })

  test('is that of each booking of a series', async ({ api, school }) => {
    const recurrence = { frequency: 'weekly', count: 3 }
    const body = { ...dualBody(school), lessonId: course.lesson, recurrence }
    const series = await expectOk<Booking[]>(api, school.dispatcher, 'POST', '/reservations', body)
    expect(series.map(({ lesson }) => lesson?.id)).toEqual([course.lesson, course.lesson, course.lesson])
  })

  test('of another kind than the booking is warned of', async ({ api, school }) => {
    const body = { ...dualBody(school), lessonId: course.groundLesson }
    const { data, warnings } = (await api.as(school.dispatcher).post('/reservations', body)).json()
    expect(data.lesson).toMatchObject({ kind: 'ground' })
    expect(warnings).toEqual([
      {
        rule: 'lesson',
        code: 'LESSON_KIND',
        field: 'lessonId',
        overridable: false,
        orgUserId: school.student.orgUserId,
        message: 'Weather is a ground lesson, and the booking is of the type dual',
      },
    ])
  })

  test('is one of a course in which the student is enrolled, one a student, and of nobody else', async ({
    api,
    school,
  }) => {
    const { student, instructor, dispatcher } = school
    const [mine, his] = [student.orgUserId, instructor.orgUserId]
    const elsewhere = await buildTraining(api, school)
    const one = (orgUserId: number) => ({ orgUserId, lessonId: course.lesson })
    const refused = async (plan: object) => {
      const answer = await api.as(dispatcher).post('/reservations', { ...dualBody(school), ...plan })
      return [answer.statusCode, answer.json().message]
    }
    expect(await refused({ lessonId: elsewhere.lesson })).toEqual([
      400,
      'lessonId: is not a lesson of a course in which the student is enrolled',
    ])
    expect(await refused({ lessons: [one(his)] })).toEqual([
      400,
      'lessons.0.orgUserId: is not a student on the booking',
    ])
    expect(await refused({ lessons: [one(mine), one(mine)] })).toEqual([
      400,
      'lessons.1.orgUserId: has a lesson already',
    ])
    const maintenance = { type: 'maintenance', personnel: {}, lessonId: course.lesson }
    expect(await refused(maintenance)).toEqual([400, 'lessonId: there is no student on the booking'])
  })
})
