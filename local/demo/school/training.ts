import { tenths } from '../../../src/shared/platform/kernel/units.ts'
import { issueEndorsements } from '../../../src/shared/training/endorsements/issue-endorsements.ts'
import { certifyEnrollment } from '../../../src/shared/training/enrollments/end-enrollment.ts'
import { enrolStudent } from '../../../src/shared/training/enrollments/enrol-student.ts'
import { graduateStudent } from '../../../src/shared/training/enrollments/graduate-student.ts'
import type { TestKind } from '../../../src/shared/training/knowledge-tests/training-test.rules.ts'
import { recordTest } from '../../../src/shared/training/records/add-test-result.ts'
import { countersignRecord } from '../../../src/shared/training/records/countersign-record.ts'
import { gradeLesson } from '../../../src/shared/training/records/grade-lesson.ts'
import { postCredit } from '../../../src/shared/training/records/post-credit.ts'
import { signRecord } from '../../../src/shared/training/records/sign-record.ts'
import type { CourseKey, DemoCourse } from './courses.ts'
import { daysFrom } from './days.ts'
import type { DemoSchool } from './found-school.ts'
import type { PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import type { DemoBooking } from './week.ts'

/** The certificate numbers with which instructors sign; they are not real. */
export const CERTIFICATES = { ivan: '2718281CFI', isabel: '3141592CFI' } as const

/**
 * The students of the courses: days since their enrollment, their instructor, and time transferred from another school
 * in tenths of hours.
 */
const students: {
  who: PersonKey
  course: CourseKey
  with: 'ivan' | 'isabel'
  daysAgo: number
  certificate?: string
  transferred?: number
}[] = [
  { who: 'rita', course: 'private', with: 'isabel', daysAgo: 88, transferred: 380 },
  { who: 'samir', course: 'instrument', with: 'ivan', daysAgo: 86, certificate: 'BFA-141-0207' },
  { who: 'stella', course: 'private', with: 'isabel', daysAgo: 82 },
  { who: 'theo', course: 'private', with: 'isabel', daysAgo: 60 },
  { who: 'sam', course: 'private', with: 'ivan', daysAgo: 24 },
  { who: 'sofia', course: 'private', with: 'ivan', daysAgo: 5 },
]

/** An open or ended enrollment of a student. */
export interface DemoEnrollment {
  id: number
  course: DemoCourse
}

export type Enrollments = Map<PersonKey, DemoEnrollment>

/** Enrolls the students of the school, each at their own time. */
export async function enrolStudents(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  courses: Record<CourseKey, DemoCourse>,
  now: Date,
): Promise<Enrollments> {
  const enrollments: Enrollments = new Map()
  for (const { who, course: key, daysAgo, certificate = null, transferred, ...student } of students) {
    const at = daysFrom(now, -daysAgo)
    const course = courses[key]
    const { id } = await school.at(at, (tx) =>
      enrolStudent(tx, actors.adam, {
        versionId: course.versionId,
        orgUserId: actors[who].orgUserId,
        instructorOrgUserId: actors[student.with].orgUserId,
        enrollmentCertificateNumber: certificate,
      }),
    )
    enrollments.set(who, { id, course })
    if (transferred) {
      const requirementId = course.requirementIds.get('PPL.TOTAL') as number
      await school.at(at, (tx) =>
        postCredit(tx, actors.adam, {
          enrollmentId: id,
          requirementId,
          source: 'transfer_61',
          deciHours: tenths(transferred),
          occurredAt: null,
          deviceKind: null,
          notes: 'Logbook of the school before, entries of 2024 and 2025',
        }),
      )
    }
  }
  return enrollments
}

/**
 * Grades the lesson of a booking, and signs and countersigns its record up to the state in `lesson.record`. Does
 * nothing without a lesson, an instructor or an enrollment.
 * @throws Error when the course has no lesson with the title of the booking
 */
export async function recordLesson(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  enrollments: Enrollments,
  { instructor, students: [student] = [], title, lesson }: DemoBooking,
  { id: reservationId, end }: { id: number; end: Date },
): Promise<void> {
  const enrollment = student && enrollments.get(student)
  if (!lesson || !enrollment || !instructor) return
  const lessonId = enrollment.course.lessonIds.get(title)
  if (lessonId === undefined) throw new Error(`the course has no lesson "${title}"`)
  const by = actors[instructor]
  const record = await school.at(end, (tx) =>
    gradeLesson(tx, by, {
      enrollmentId: enrollment.id,
      lessonId,
      recordId: null,
      reservationId,
      grade: lesson.grade,
      notes: lesson.notes ?? null,
      figures: lesson.flight === undefined ? {} : { flightTenths: tenths(lesson.flight) },
    }),
  )
  if (lesson.record === 'graded') return
  const certificateNumber = CERTIFICATES[instructor as 'ivan' | 'isabel']
  await school.at(end, (tx) => signRecord(tx, by, record.id, { certificateNumber, credits: null }))
  if (lesson.record === 'signed') return
  await school.at(end, (tx) => countersignRecord(tx, actors[student], record.id, null))
}

/**
 * Grades the last lessons of a student who came from another school, records the tests, certifies the enrollment and
 * graduates the student.
 */
export async function graduate(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  enrollments: Enrollments,
  now: Date,
): Promise<void> {
  const { id: enrollmentId, course } = enrollments.get('rita') as DemoEnrollment
  const { rita, isabel, ivan, adam } = actors
  for (const [daysAgo, name, signer] of [
    [85, 'Short and soft fields', 'isabel'],
    [79, 'Practice test', 'isabel'],
    [74, 'Final stage check', 'ivan'],
  ] as const) {
    const at = daysFrom(now, -daysAgo)
    const by = signer === 'ivan' ? ivan : isabel
    const lessonId = course.lessonIds.get(name) as number
    const time = tenths(15)
    const record = await school.at(at, (tx) =>
      gradeLesson(tx, by, {
        enrollmentId,
        lessonId,
        recordId: null,
        grade: 'S',
        notes: 'To the standards of the practical test.',
        figures: { flightTenths: time, instructionTenths: time },
      }),
    )
    const certificateNumber = CERTIFICATES[signer]
    await school.at(at, (tx) => signRecord(tx, by, record.id, { certificateNumber, credits: null }))
    await school.at(at, (tx) => countersignRecord(tx, rita, record.id, null))
  }
  const test = (
    kind: TestKind,
    daysAgo: number,
    given: { code: string | null; score: number | null; examiner: string; reportNumber: string | null },
  ) =>
    school.at(daysFrom(now, -daysAgo), (tx) =>
      recordTest(tx, isabel, {
        enrollmentId,
        orgUserId: null,
        kind,
        result: 'passed',
        takenAt: daysFrom(now, -daysAgo),
        deficiencies: null,
        causes: [],
        endorsementId: null,
        ...given,
      }),
    )
  await test('knowledge', 81, { code: 'PAR', score: 92, examiner: 'PSI, Hayward', reportNumber: '9088123456' })
  const graduated = daysFrom(now, -72)
  await school.at(graduated, (tx) => certifyEnrollment(tx, adam, enrollmentId))
  await school.at(graduated, (tx) => graduateStudent(tx, adam, enrollmentId, 'BFA-2026-031'))
  await test('practical', 70, { code: null, score: null, examiner: 'Ada Okafor, DPE', reportNumber: null })
}

/** Issues the endorsements before the first solo (A.3, A.4), and those for tests (A.1, A.2). */
export async function endorse(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  enrollments: Enrollments,
  now: Date,
): Promise<void> {
  for (const [daysAgo, signer, who, templateCode] of [
    [76, 'isabel', 'rita', 'A.1'],
    [20, 'isabel', 'stella', 'A.3'],
    [2, 'isabel', 'stella', 'A.4'],
    [11, 'ivan', 'samir', 'A.2'],
    [9, 'isabel', 'theo', 'A.1'],
    [9, 'isabel', 'theo', 'A.2'],
  ] as const) {
    const test = who === 'samir' ? 'instrument rating' : 'private pilot'
    await school.at(daysFrom(now, -daysAgo), (tx) =>
      issueEndorsements(tx, actors[signer], {
        orgUserId: actors[who].orgUserId,
        enrollmentId: enrollments.get(who)?.id ?? null,
        trainingAt: null,
        parameters: { makeAndModel: 'Cessna 172S Skyhawk', test, certificate: `${test} certificate` },
        signerCertificateNumber: CERTIFICATES[signer],
        items: [{ templateCode, parameters: {}, renderedText: null, supersedesId: null }],
      }),
    )
  }
}
