import { createManagedMember } from '../../../src/shared/identity/profiles/create-managed-member.ts'
import { tenths } from '../../../src/shared/platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { enrolStudent } from '../../../src/shared/training/enrollments/enrol-student.ts'
import { gradeLesson } from '../../../src/shared/training/records/grade-lesson.ts'
import { signRecord } from '../../../src/shared/training/records/sign-record.ts'
import { cancelReservation } from '../../../src/shared/workflows/cancel-reservation.ts'
import type { DemoCourse } from './courses.ts'
import { daysFrom } from './days.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import { leaveOverdue } from './leave-overdue.ts'
import { makeBooking } from './make-booking.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { CERTIFICATES } from './training.ts'

/** A student without a completed lesson for weeks. The lessons are by name, with the days since; a booking ahead is in `booked` days. */
interface Stalled {
  name: string
  passed: [lesson: string, daysAgo: number][]
  failed?: [lesson: string, daysAgo: number][]
  /** A lesson that is graded, but not signed. */
  unsigned?: [lesson: string, daysAgo: number]
  /** The days since of bookings that were cancelled for the weather. */
  cancelled?: number[]
  booked?: number
  /** Whether an invoice of the student is overdue. */
  owes?: true
}

const headset = {
  item: { description: 'Headset', unit: 'item', priceCents: 12_000 },
  memo: null,
  createdDaysAgo: 20,
  dueDaysAgo: 6,
}

const untilSolo = [
  'The airplane, the airport and the airspace',
  'First flight',
  'Climbs, descents and turns',
  'Slow flight and stalls',
  'Ground reference maneuvers',
  'Emergencies',
  'Takeoffs and landings',
  'Crosswinds, slips and go-arounds',
  'Flight by reference to instruments',
  'Traffic pattern, all of it',
  'Pre-solo knowledge test',
  'Stage check: ready for solo',
]

/** One student for each common cause: no medical, an overdue invoice, no booking, the weather, a lesson that is repeated, a signature. */
const stalled: Stalled[] = [
  { name: 'Mika Sato', passed: untilSolo.map((lesson, index) => [lesson, 40 - index]), booked: 15 },
  { name: 'Lena Vogt', passed: [['First flight', 24]], booked: 21, owes: true },
  { name: 'Nora Quist', passed: [['First flight', 25]] },
  { name: 'Otto Lang', passed: [['First flight', 22]], cancelled: [9, 5], booked: 22 },
  {
    name: 'Pia Duarte',
    passed: [['First flight', 50]],
    failed: [
      ['Climbs, descents and turns', 40],
      ['Climbs, descents and turns', 33],
      ['Climbs, descents and turns', 26],
    ],
    booked: 23,
  },
  { name: 'Quinn Abbott', passed: [['First flight', 21]], unsigned: ['Climbs, descents and turns', 6], booked: 24 },
]

/** Adds the stalled students, whom nobody has invited yet. Invoices only when the school has a payment gateway. */
export async function addStalled(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  course: DemoCourse,
  { now, invoices }: { now: Date; invoices: boolean },
): Promise<void> {
  for (const student of stalled) {
    const joined = daysFrom(now, -70)
    const email = `${student.name.toLowerCase().replace(' ', '.')}@example.com`
    const given = { name: student.name, email, phone: null, externalId: null, roles: { student: true } }
    const { id: orgUserId } = await school.at(joined, (tx) => createManagedMember(tx, actors.olivia, given))
    const { id: enrollmentId } = await school.at(joined, (tx) =>
      enrolStudent(tx, actors.adam, {
        versionId: course.versionId,
        orgUserId,
        instructorOrgUserId: actors.isabel.orgUserId,
        enrollmentCertificateNumber: null,
      }),
    )
    await grade(school, actors, { enrollmentId, course, student, now })
    await book(school, actors, { orgUserId, student, now })
    if (student.owes && invoices) await leaveOverdue(school, { actors }, { orgUserId, ...headset }, now)
  }
}

type Actors = DemoSchool['actors']

async function grade(
  school: SchoolTransaction,
  actors: Actors,
  given: { enrollmentId: number; course: DemoCourse; student: Stalled; now: Date },
): Promise<void> {
  const { enrollmentId, course, now } = given
  const { passed, failed = [], unsigned } = given.student
  const figures = { flightTenths: tenths(13), instructionTenths: tenths(13) }
  // Who trained the student does not check the stage.
  const by = (name: string) => (name.startsWith('Stage check') ? 'ivan' : 'isabel')
  const one = (name: string, daysAgo: number, lesson: { grade: 'S' | 'U'; notes: string }) =>
    school.at(daysFrom(now, -daysAgo), (tx) =>
      gradeLesson(tx, actors[by(name)], {
        enrollmentId,
        lessonId: course.lessonIds.get(name) as number,
        recordId: null,
        figures,
        ...lesson,
      }),
    )
  const good = { grade: 'S', notes: 'To the standards.' } as const
  const poor = { grade: 'U', notes: 'Altitude within 200 feet, not yet 100.' } as const
  const signed = [...passed.map((of) => [...of, good] as const), ...failed.map((of) => [...of, poor] as const)]
  for (const [name, daysAgo, lesson] of signed) {
    const { id } = await one(name, daysAgo, lesson)
    const sign = { certificateNumber: CERTIFICATES[by(name)], credits: null }
    await school.at(daysFrom(now, -daysAgo), (tx) => signRecord(tx, actors[by(name)], id, sign))
  }
  if (unsigned) await one(...unsigned, good)
}

/** Books ground lessons at seven in the morning. */
async function book(
  school: SchoolTransaction,
  { isabel, dana }: Actors,
  { orgUserId, student: { cancelled = [], booked }, now }: { orgUserId: number; student: Stalled; now: Date },
): Promise<void> {
  const at = (day: number, minute: number) => wallToInstant(addDays(localDate(now, ZONE), day), minute, ZONE)
  const lesson = (madeDaysAgo: number, day: number) =>
    makeBooking(school, daysFrom(now, -madeDaysAgo), dana, {
      title: 'Ground lesson',
      type: 'ground',
      start: at(day, 7 * 60),
      end: at(day, 7 * 60 + 30),
      resourceId: null,
      seats: [
        { side: 'instructors', index: 0, orgUserId: isabel.orgUserId },
        { side: 'students', index: 0, orgUserId },
      ],
    })
  for (const daysAgo of cancelled) {
    const id = await lesson(daysAgo + 3, -daysAgo)
    const cancellation = { reason: 'Low ceiling', category: 'weather' }
    await school.at(daysFrom(now, -daysAgo - 1), (tx) => cancelReservation(tx, dana, id, cancellation))
  }
  if (booked !== undefined) await lesson(2, booked)
}
