import { z } from 'zod'
import { enrollmentStatuses } from '../../../shared/training/enrollments/enrollment.states.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, QueryId, QueryText, text } from '../../http/schemas.ts'

const CertificateNumber = name(100).nullable().default(null)

export const EnrollmentQuery = ListQuery.extend({
  orgUserId: QueryId.optional(),
  courseId: QueryId.optional(),
  status: z.enum(enrollmentStatuses).optional(),
})

export const EnrollmentBody = z.object({
  versionId: Id,
  orgUserId: Id.describe('The student'),
  instructorOrgUserId: Id.nullable()
    .default(null)
    .describe('The student’s own instructor, who must not sign the student’s stage checks; null: none'),
  enrollmentCertificateNumber: CertificateNumber,
})

export const PlanBody = z.object({
  plannedTestAt: InstantInput.nullish().describe(
    'When the practical test or end-of-course test is planned; null: no plan',
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

export const CandidateQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe(
    'The student; default: the caller. Members who cannot see all enrollments get their own',
  ),
  type: QueryText.optional().describe(
    'The type of the booking: `dual`, `solo`, `ground` or `sim`; default: the lessons of every type',
  ),
})
