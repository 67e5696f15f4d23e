import { tenths } from '../../../src/shared/platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { planEnrollment } from '../../../src/shared/training/enrollments/plan-enrollment.ts'
import { recordTest } from '../../../src/shared/training/records/add-test-result.ts'
import { countersignRecord } from '../../../src/shared/training/records/countersign-record.ts'
import { gradeLesson } from '../../../src/shared/training/records/grade-lesson.ts'
import { postCredit } from '../../../src/shared/training/records/post-credit.ts'
import { signRecord } from '../../../src/shared/training/records/sign-record.ts'
import { privatePilot } from '../../../src/shared/training/templates/private.ts'
import { daysFrom } from './days.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import { makeBooking } from './make-booking.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { CERTIFICATES, type DemoEnrollment, type Enrollments } from './training.ts'

/** The days until the test of the student who has come from another school with nearly everything. */
const TEST_IN_DAYS = 10

/**
 * Brings a student to ten days before the practical test: experience from another school, the final stage check, the knowledge test, and the booking
 * for the test. Two things are left: the endorsement A.37, and the 100-hour inspection, which comes due before.
 */
export async function prepareForTest(
  school: SchoolTransaction,
  founded: DemoSchool,
  enrollments: Enrollments,
  now: Date,
): Promise<void> {
  const enrollment = enrollments.get('theo') as DemoEnrollment
  await bringExperience(school, founded, enrollment, now)
  await passChecks(school, founded, enrollment, now)
  await planTest(school, founded, enrollment, now)
}

/** Posts what the student flew at the school before; the preparation was twelve days ago. */
async function bringExperience(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  { id: enrollmentId, course }: DemoEnrollment,
  now: Date,
): Promise<void> {
  for (const { code, deciHours, count } of privatePilot.requirements) {
    const occurredAt = daysFrom(now, code === 'PPL.TEST_PREP' ? -12 : -80)
    await school.at(daysFrom(now, -11), (tx) =>
      postCredit(tx, actors.adam, {
        enrollmentId,
        requirementId: course.requirementIds.get(code) as number,
        source: 'transfer_61',
        deciHours: deciHours === undefined ? null : tenths(deciHours),
        count: count ?? null,
        occurredAt,
        deviceKind: null,
        notes: 'Logbook of the school in Reno',
      }),
    )
  }
}

async function passChecks(
  school: SchoolTransaction,
  { actors: { ivan, isabel, theo } }: DemoSchool,
  { id: enrollmentId, course }: DemoEnrollment,
  now: Date,
): Promise<void> {
  const takenAt = daysFrom(now, -30)
  await school.at(takenAt, (tx) =>
    recordTest(tx, isabel, {
      enrollmentId,
      orgUserId: null,
      kind: 'knowledge',
      code: 'PAR',
      takenAt,
      result: 'passed',
      causes: [],
      score: 88,
      examiner: 'PSI, Hayward',
      deficiencies: 'PLT064: sectional charts',
      reportNumber: '9088654321',
      endorsementId: null,
    }),
  )
  const at = daysFrom(now, -10)
  const lessonId = course.lessonIds.get('Final stage check') as number
  const figures = { flightTenths: tenths(15), instructionTenths: tenths(15) }
  const lesson = { enrollmentId, lessonId, recordId: null, grade: 'S', notes: 'Ready for the test.', figures }
  const { id } = await school.at(at, (tx) => gradeLesson(tx, ivan, lesson))
  const certificateNumber = CERTIFICATES.ivan
  await school.at(at, (tx) => signRecord(tx, ivan, id, { certificateNumber, credits: null }))
  await school.at(at, (tx) => countersignRecord(tx, theo, id, null))
}

/** Plans the test at nine in the morning, three days after the application, and books the aircraft; another instructor flies along. */
async function planTest(
  school: SchoolTransaction,
  { actors: { ivan, isabel, theo, dana }, resourceIds }: DemoSchool,
  { id }: DemoEnrollment,
  now: Date,
): Promise<void> {
  const at = (days: number, hour: number) => wallToInstant(addDays(localDate(now, ZONE), days), hour * 60, ZONE)
  const resourceId = resourceIds.N734FL
  const plannedTest = {
    at: at(TEST_IN_DAYS, 9),
    applicationAt: at(TEST_IN_DAYS - 3, 9),
    resourceId,
    examiner: 'Ada Okafor, DPE',
    location: 'Hayward Executive',
  }
  const bookedAt = daysFrom(now, -9)
  await school.at(bookedAt, (tx) => planEnrollment(tx, isabel, id, { plannedTest }))
  await makeBooking(school, bookedAt, dana, {
    title: 'Practical test, private pilot',
    type: 'dual',
    start: at(TEST_IN_DAYS, 8),
    end: at(TEST_IN_DAYS, 13),
    resourceId,
    seats: [
      { side: 'instructors', index: 0, orgUserId: ivan.orgUserId },
      { side: 'students', index: 0, orgUserId: theo.orgUserId },
    ],
  })
}
