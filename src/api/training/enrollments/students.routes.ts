import { z } from 'zod'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { waitingFor } from '../../../shared/training/enrollments/student-overview.rules.ts'
import { holds } from '../../../shared/training/grants/grant.access.ts'
import { verdicts } from '../../../shared/training/readiness/readiness.types.ts'
import { type JudgedStudent, listJudgedStudents } from '../../../shared/training/readiness/students.queries.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import {
  BookingReference,
  envelope,
  Id,
  Instant,
  membersOf,
  NamedReference,
  Person,
  QueryMembers,
} from '../../http/schemas.ts'
import { DeciHours } from '../training.schemas.ts'

/** A student in training: an open enrollment with its progress. */
export const Student = z
  .object({
    enrollmentId: Id,
    student: Person,
    course: NamedReference,
    instructorOrgUserId: Id.nullable(),
    nextLesson: NamedReference.nullable().describe(
      'The first lesson of the syllabus that is not completed; null: all are',
    ),
    lastFlownAt: Instant.nullable().describe('The latest ramp-in of a flight of the student; null: none yet'),
    deciHours: DeciHours.describe('The sum of the flight time and device time of the enrollment’s records'),
    progress: z.number().min(0).max(1).describe('The completed share of the lessons, from 0 to 1'),
    nextBooking: BookingReference.nullable().describe(
      'The earliest future booking of the student with the status `booked`; null: none',
    ),
    missing: z.array(z.string()).describe('In words, what is missing for each requirement that is not met'),
    waitingFor: z
      .enum(waitingFor)
      .nullable()
      .describe(
        'Who acts next: the `instructor` records or signs, the `student` countersigns or books, the `school` names an instructor or ends the enrollment',
      ),
    plannedTestAt: Instant.nullable(),
    readiness: z
      .object({ verdict: z.enum(verdicts), open: z.int() })
      .nullable()
      .describe('null: no test is planned'),
  })
  .meta({ id: 'StudentOverview' })

function studentView(row: JudgedStudent): z.input<typeof Student> {
  const { enrollmentId, student, course, instructorOrgUserId, nextLesson, lastFlownAt, nextBooking } = row
  const { deciHours, progress, missing, waitingFor: waits, plannedTestAt, readiness } = row
  return {
    enrollmentId,
    student,
    course,
    instructorOrgUserId,
    nextLesson,
    deciHours,
    progress,
    missing,
    lastFlownAt: iso(lastFlownAt),
    nextBooking: nextBooking && { id: nextBooking.id, start: iso(nextBooking.start) },
    waitingFor: waits,
    plannedTestAt: iso(plannedTestAt),
    readiness,
  }
}

/**
 * Returns the instructor whose students the actor reads when the query names none: for instructors themselves;
 * undefined for desk staff and auditors, who read all students.
 */
async function instructorOf(db: Db, actor: Actor): Promise<number[] | undefined> {
  if (is(actor, deskStaff)) return undefined
  if (is(actor, ['instructor'])) return [actor.orgUserId]
  if (await holds(db, actor, ['auditor'])) return undefined
  throw platformErrors.notAllowed()
}

/** The endpoint that lists the students in training. Implements interface §Training: GET /training/students. */
export const studentRoutes: Routes = (on) => {
  on.get('/training/students', {
    id: 'listStudents',
    access: 'member',
    tag: 'Training',
    summary: 'List the students in training, and who has to act',
    description:
      'Lists the open enrollments, one row each, by the student’s name. Without `instructorOrgUserId`, instructors ' +
      'who are not desk staff get their own students; desk staff and holders of the grant `auditor` get all. For a ' +
      'Part 141 course this is the list of enrolled students (14 CFR 141.93).',
    query: ListQuery.extend({
      instructorOrgUserId: QueryMembers.optional().describe('Only the students of these instructors'),
    }),
    answers: { 200: envelope(z.array(Student)) },
    errors: [[platformErrors.notAllowed, 'neither staff nor auditor']],
    read: async ({ db, actor, now, query }) => {
      const { organizationId, organization } = actor
      const own = await instructorOf(db, actor)
      const instructorOrgUserIds = membersOf(query.instructorOrgUserId, actor) ?? own
      const scope = { organizationId, zone: organization.timeZoneName, instructorOrgUserIds, now }
      return page(await listPage(listJudgedStudents(db, scope), query, studentView))
    },
  })
}
