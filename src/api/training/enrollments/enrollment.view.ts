import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import type { DeviceUse as DeviceUseRow } from '../../../shared/training/courses/device-ceilings.rules.ts'
import { regulatoryParts, requirementSources } from '../../../shared/training/courses/syllabus.rules.ts'
import { versionStates } from '../../../shared/training/courses/version.states.ts'
import type { EnrollmentRow } from '../../../shared/training/enrollments/enrollment.queries.ts'
import { certifierRoles, enrollmentStatuses } from '../../../shared/training/enrollments/enrollment.states.ts'
import type { RequirementProgressRow } from '../../../shared/training/enrollments/requirement-progress.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'
import { DeciHours } from '../training.schemas.ts'

const fields = {
  id: Id,
  status: z.enum(enrollmentStatuses),
  orgUserId: Id.describe('The student'),
  student: Person,
  mergedFrom: Person.nullable().describe(
    'The merged member from whom the enrollment and its records were moved, with the name at the time of the merge; ' +
      'null: not moved',
  ),
  course: z
    .object({
      id: Id,
      name: z.string(),
      regulatoryPart: z.enum(regulatoryParts),
      targetDays: z.int().nullable(),
    })
    .meta({ id: 'EnrolledCourse' }),
  versionId: Id,
  instructor: Person.nullable().describe('The student’s own instructor; null: none'),
  enrollmentFeeCents: Cents.nullable().describe('The fee of the course at the time of the enrollment; null: no fee'),
  enrollmentFeeLabel: z.string().nullable(),
  feeInvoice: z
    .object({ id: Id, status: z.string() })
    .meta({ id: 'FeeInvoice' })
    .nullable()
    .describe('The latest invoice of the fee; null: none'),
  enrollmentCertificateNumber: z.string().nullable(),
  graduationCertificateNumber: z.string().nullable(),
  certifiedAt: Instant.nullable().describe(
    'When the training record was certified; null when it is not certified, or when a later change of records, ' +
      'credits or tests removed the certification',
  ),
  certifiedBy: Person.nullable(),
  certifiedAs: z
    .enum(certifierRoles)
    .nullable()
    .describe('The role in which it was certified; 14 CFR 141.101(c) asks for the chief instructor'),
  signedSinceCertification: z.int().describe('The number of records that were signed after the certification'),
  plannedTestAt: Instant.nullable().describe(
    'The time of the planned practical or end-of-course test. While this is in the future, recency windows end at ' +
      'this time, not now',
  ),
  plannedApplicationAt: Instant.nullable(),
  plannedTest: z
    .object({
      at: Instant,
      applicationAt: Instant.nullable(),
      resourceId: Id.nullable(),
      examiner: z.string().nullable(),
      location: z.string().nullable(),
    })
    .meta({ id: 'PlannedTest' })
    .nullable(),
  endedAt: Instant.nullable(),
  endReason: z.string().nullable(),
  progress: z
    .object({
      lessons: z.int(),
      completed: z.int().describe('The number of lessons that are passed, and signed where the lesson requires it'),
    })
    .meta({ id: 'LessonProgress' }),
  createdAt: Instant.describe('When the student enrolled'),
  updatedAt: Instant,
}

/** A student on a version of a course. */
export const Enrollment = z
  .object({
    ...fields,
    version: z.object({ id: Id, label: z.string(), state: z.enum(versionStates) }),
  })
  .meta({ id: 'Enrollment' })

/** The fields that every view of an enrollment has. */
export const enrollmentFields = fields

export function enrollmentView(row: EnrollmentRow): z.input<typeof Enrollment> {
  return {
    id: row.id,
    status: row.status,
    orgUserId: row.student.orgUserId,
    student: row.student,
    mergedFrom: row.mergedFrom,
    course: row.course,
    versionId: row.version.id,
    version: row.version,
    instructor: row.instructor,
    enrollmentFeeCents: row.feeCents,
    enrollmentFeeLabel: row.feeLabel,
    feeInvoice: row.feeInvoice,
    enrollmentCertificateNumber: row.enrollmentCertificateNumber,
    graduationCertificateNumber: row.graduationCertificateNumber,
    certifiedAt: iso(row.certifiedAt),
    certifiedBy: row.certifiedBy,
    certifiedAs: row.certifiedAs,
    signedSinceCertification: row.signedSinceCertification,
    plannedTestAt: iso(row.plannedTestAt),
    plannedApplicationAt: iso(row.plannedApplicationAt),
    plannedTest: row.plannedTestAt && {
      at: iso(row.plannedTestAt),
      applicationAt: iso(row.plannedApplicationAt),
      resourceId: row.plannedResourceId,
      examiner: row.plannedExaminer,
      location: row.plannedLocation,
    },
    endedAt: iso(row.endedAt),
    endReason: row.endReason,
    progress: { lessons: row.lessons, completed: row.completed },
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

const Progress = z.int().meta({ unit: 'Tenths of an hour, or a count where the requirement is counted' })

/** The progress in one requirement. */
export const RequirementProgress = z
  .object({
    requirementId: Id,
    code: z.string(),
    label: z.string(),
    source: z.enum(requirementSources),
    requiredDeciHours: z.int().optional(),
    requiredCount: z
      .int()
      .optional()
      .describe('The required count; present in place of `requiredDeciHours` when the requirement is counted'),
    credited: Progress,
    disallowed: z
      .object({ simulator: Progress, transfer: Progress, stale: Progress })
      .describe(
        'Posted credit that does not count towards the requirement. `simulator`: simulator credit above a ' +
          'simulator ceiling. `transfer`: transfer credit above the transfer ceiling. `stale`: credit older than the ' +
          'recency window',
      ),
    remaining: Progress,
    met: z.boolean(),
  })
  .meta({ id: 'Standing' })

export function requirementProgressView({
  required,
  inHours,
  ...standing
}: RequirementProgressRow): z.input<typeof RequirementProgress> {
  return { ...standing, ...(inHours ? { requiredDeciHours: required } : { requiredCount: required }) }
}

/** The time in one or several kinds of device, with its ceiling in the version. */
export const DeviceUse = z
  .object({
    deviceKinds: z.array(z.enum(deviceKinds)),
    allowedDeciHours: DeciHours,
    credited: DeciHours,
    disallowed: DeciHours,
  })
  .meta({ id: 'DeviceStanding' })

export function deviceUseView({ allowed, ...row }: DeviceUseRow): z.input<typeof DeviceUse> {
  return { ...row, deviceKinds: [...row.deviceKinds], allowedDeciHours: allowed }
}
