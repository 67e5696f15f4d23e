import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { enrollmentStatuses } from '../../../shared/training/enrollments/enrollment.states.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, QueryIds, QueryMembers, queryWords, text } from '../../http/schemas.ts'

const CertificateNumber = name(100).nullable().default(null)

export const EnrollmentQuery = ListQuery.extend({
  orgUserId: QueryMembers.optional(),
  courseId: QueryIds.optional(),
  status: queryWords(enrollmentStatuses).optional(),
})

export const EnrollmentBody = z.object({
  versionId: Id,
  orgUserId: Id.describe('The student'),
  instructorOrgUserId: Id.nullable()
    .default(null)
    .describe('The student’s own instructor, who must not sign the student’s stage checks; null: none'),
  enrollmentCertificateNumber: CertificateNumber,
})

const PlannedTest = z
  .object({
    at: InstantInput.nullable(),
    applicationAt: InstantInput.nullish(),
    resourceId: Id.nullish(),
    examiner: name(200).nullish(),
    location: name(200).nullish(),
  })
  .meta({ id: 'TestPlan', description: 'Fields that are left out stay. null, or `at: null`: no plan' })

export const PlanBody = z.object({
  plannedTest: PlannedTest.nullish(),
  plannedTestAt: InstantInput.nullish().describe(
    'When the practical test or end-of-course test is planned, null: no plan',
  ),
  plannedApplicationAt: InstantInput.nullish().describe('When the application for the test is planned; null: no plan'),
  instructorOrgUserId: Id.nullish().describe(
    'The student’s own instructor, who must not sign the student’s stage checks; null: none',
  ),
})

export const EndBody = z.object({
  status: z.enum(['terminated', 'transferred']),
  reason: text(2000).trim().nullable().default(null),
})

export const GraduateBody = z
  .object({ graduationCertificateNumber: CertificateNumber })
  .default({ graduationCertificateNumber: null })

/** The most students whose lessons are listed at once. */
const MOST_STUDENTS = 20

export const CandidateQuery = ListQuery.extend({
  orgUserId: QueryMembers.refine((members) => members.length <= MOST_STUDENTS, {
    error: fieldErrors.atMostEntries({ limit: String(MOST_STUDENTS) }),
  })
    .optional()
    .describe(
      `The students, at most ${MOST_STUDENTS}; default: the caller. Members who cannot see all enrollments get their own`,
    ),
  type: queryWords(reservationTypes)
    .optional()
    .describe(
      'The types of the booking, of which `dual`, `solo`, `ground` and `sim` offer lessons; default: every type',
    ),
})
