import { expect } from 'vitest'
import { privatePilot } from '../../src/shared/training/templates/private.ts'
import { buildMember, type Member } from '../support/builders.ts'
import { sharedSchoolTest } from '../support/fixtures.ts'
import { bookDual, expectOk, fly as flyBooking } from '../support/flights.ts'
import { standing } from '../support/training.ts'

interface Lesson {
  lessonId: number
  name: string
  kind: string
  completed: boolean
  isStageCheck: boolean
  minFlightDeciHours: number | null
  minGroundDeciHours: number | null
  credits: { clock: string | null }[]
}
interface Syllabus {
  requirements: { requirementId: number; code: string }[]
  stages: { lessons: Lesson[] }[]
}

const test = sharedSchoolTest().extend('checker', { scope: 'file' }, ({ api, school }) =>
  buildMember(api, school.organizationId, ['instructor']),
)

test('a student goes from enrolment on the private template to graduation', async ({ school, api, checker }) => {
  const { admin, instructor, student } = school
  const post = <T = { id: number }>(who: Member, url: string, body: unknown = {}) =>
    expectOk<T>(api, who, 'POST', url, body)

  // The school starts from the template and publishes it as it is.
  const course = await post<{ id: number; versions: { id: number }[] }>(admin, '/training/templates/private')
  const versionId = course.versions[0]?.id ?? 0
  await post(admin, `/training/versions/${versionId}/publish`)
  await post(admin, '/training/grants', {
    orgUserId: checker.orgUserId,
    grant: 'checkInstructor',
    courseId: course.id,
  })
  const { id } = await post(admin, '/training/enrollments', {
    versionId,
    orgUserId: student.orgUserId,
    instructorOrgUserId: instructor.orgUserId,
  })
  const syllabus = await expectOk<Syllabus>(api, admin, 'GET', `/training/versions/${versionId}`)
  const lessons = syllabus.stages.flatMap((stage) => stage.lessons)
  const requirementOf = (code: string) => syllabus.requirements.find((one) => one.code === code)?.requirementId

  let nights = 0
  /** A night flight with five takeoffs and full-stop landings in its log, which no record counts by itself. */
  async function flyByNight(): Promise<{ reservationId: number }> {
    const day = 10 + nights++
    const times = { start: `2026-11-${day}T02:00:00Z`, end: `2026-11-${day}T04:00:00Z` }
    const booked = await bookDual(api, school, times)
    await flyBooking(api, school, booked)
    const five = { nightTakeoffs: 5, nightLandings: 5, nightFullStops: 5 }
    const row = { orgUserId: student.orgUserId, dualReceived: 14, night: 14, ...five }
    await expectOk(api, instructor, 'PUT', `/reservations/${booked}/log`, { rows: [row] })
    return { reservationId: booked }
  }

  /** The figure of a record that each clock of a lesson is credited from, beside those of the meters. */
  const figureOf: Record<string, string> = {
    solo: 'soloDeciHours',
    night: 'nightDeciHours',
    cross_country: 'crossCountryDeciHours',
    instrument: 'simulatedInstrumentDeciHours',
  }

  /** Flies a lesson as planned, all of it in the conditions that it trains; both sides sign it. */
  async function fly(lesson: Lesson, extra: Record<string, unknown> = {}): Promise<number> {
    const flown = lesson.kind === 'flight' ? lesson.minFlightDeciHours : null
    const clocks = lesson.credits.map(({ clock }) => clock ?? '')
    const figures = clocks.flatMap((clock) => (figureOf[clock] ? [[figureOf[clock], flown]] : []))
    const { id: record } = await post(instructor, '/training/records', {
      enrollmentId: id,
      lessonId: lesson.lessonId,
      grade: 'S',
      flightDeciHours: flown,
      instructionDeciHours: flown,
      groundDeciHours: lesson.minGroundDeciHours,
      ...Object.fromEntries(figures),
      ...(clocks.includes('night_takeoffs') && (await flyByNight())),
      ...extra,
    })
    await post(lesson.isStageCheck ? checker : instructor, `/training/records/${record}/sign`)
    await post(student, `/training/records/${record}/countersign`)
    return record
  }

  // The first flight was booked; the booking offers what it could close out.
  const reservationId = await bookDual(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' })
  const candidates = await expectOk<{ lessons: Lesson[] }[]>(api, student, 'GET', '/training/candidates?type=dual')
  expect(candidates[0]?.lessons[0]?.name).toBe('First flight')

  // Some time from another school: 4.0 hours of cross-country training where 3.0 are required and no more can be transferred.
  await post(admin, '/training/credits', {
    enrollmentId: id,
    requirementId: requirementOf('PPL.DUAL_XC'),
    source: 'transfer_61',
    deciHours: 40,
    occurredAt: '2026-05-02T10:00:00Z',
  })
  expect(await standing(api, student, id, 'PPL.DUAL_XC')).toMatchObject({
    credited: 30,
    disallowed: { transfer: 10, simulator: 0, stale: 0 },
    met: true,
  })

  // Preparation for the test in August: in November its two calendar months are over.
  await post(admin, '/training/credits', {
    enrollmentId: id,
    requirementId: requirementOf('PPL.TEST_PREP'),
    source: 'manual',
    deciHours: 30,
    notes: 'Flown with Ben Cole',
    occurredAt: '2026-08-31T10:00:00Z',
  })
  expect(await standing(api, student, id, 'PPL.TEST_PREP')).toMatchObject({
    credited: 0,
    remaining: 30,
    disallowed: { stale: 30 },
  })

  const first = lessons.find(({ name }) => name === 'First flight')!
  const amended = await fly(first, { reservationId, flightDeciHours: 100 })
  for (const lesson of lessons.filter((one) => one !== first)) await fly(lesson)

  // 10.0 hours were 1.0: the record is amended, and the ledger with it. 40.9 hours are planned.
  expect(await standing(api, student, id, 'PPL.TOTAL')).toMatchObject({ credited: 409 - 10 + 100 })
  const { id: successor } = await post(instructor, `/training/records/${amended}/amend`, {
    reason: 'A slip of the pen',
  })
  await post(instructor, '/training/records', {
    enrollmentId: id,
    lessonId: first.lessonId,
    recordId: successor,
    flightDeciHours: 10,
  })
  expect(await standing(api, student, id, 'PPL.TOTAL')).toMatchObject({ credited: 409 - 10 })
  await post(instructor, `/training/records/${successor}/sign`)
  await post(student, `/training/records/${successor}/countersign`)

  // Every requirement is met as the lessons were planned; what lapsed and what was too much is still listed.
  const planned: Record<string, number> = {
    'PPL.TOTAL': 409,
    'PPL.DUAL': 279,
    'PPL.SOLO': 130,
    'PPL.DUAL_XC': 30 + 22 + 20,
    'PPL.DUAL_NIGHT': 35,
    'PPL.NIGHT_XC': 1,
    'PPL.NIGHT_TAKEOFFS': 10,
    'PPL.NIGHT_LANDINGS': 10,
    'PPL.INSTRUMENT': 34,
    'PPL.TEST_PREP': 45,
    'PPL.SOLO_XC': 65,
    'PPL.SOLO_LONG_XC': 1,
    'PPL.SOLO_TOWER_TAKEOFFS': 3,
    'PPL.SOLO_TOWER_LANDINGS': 3,
  }
  expect(Object.keys(planned)).toEqual(privatePilot.requirements.map(({ code }) => code))
  for (const [code, credited] of Object.entries(planned)) {
    expect(await standing(api, student, id, code)).toMatchObject({ code, credited, met: true })
  }
  expect(await standing(api, student, id, 'PPL.TEST_PREP')).toMatchObject({ disallowed: { stale: 30 } })

  const done = await expectOk<{ progress: object; records: object[] }>(
    api,
    student,
    'GET',
    `/training/enrollments/${id}`,
  )
  expect(done.progress).toEqual({ lessons: lessons.length, completed: lessons.length })
  expect(done.records).toHaveLength(lessons.length + 1)

  await post(instructor, '/training/endorsements', {
    orgUserId: student.orgUserId,
    enrollmentId: id,
    templateCode: 'A.33',
    renderedText: `${student.name} is prepared for the practical test.`,
  })
  await post(admin, `/training/enrollments/${id}/certify`)
  const graduated = await post(admin, `/training/enrollments/${id}/graduate`, { graduationCertificateNumber: 'PPL-1' })
  expect(graduated).toMatchObject({ status: 'graduated', graduationCertificateNumber: 'PPL-1' })
  expect(await expectOk(api, student, 'GET', '/training/candidates')).toEqual([])

  // What it stood at when the student graduated stays, however much later it is read.
  api.clock.now = new Date('2028-01-01T12:00:00Z')
  const { accountId, organizationId, orgUserId: membershipId } = student
  const later = await api.core.tokens.issue({ accountId, organizationId, membershipId }, api.clock.now)
  expect(await standing(api, later, id, 'PPL.TEST_PREP')).toMatchObject({ credited: 45, met: true })
})
