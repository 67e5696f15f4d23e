import { z } from 'zod'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { findVersion } from '../../../shared/training/courses/version.queries.ts'
import { findEndorsementsOf } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { findCertificatesOf } from '../../../shared/training/enrollments/certificate.queries.ts'
import { certificateKinds, certificateNumber } from '../../../shared/training/enrollments/certificate.rules.ts'
import { type EnrollmentRow, findEnrollment } from '../../../shared/training/enrollments/enrollment.queries.ts'
import { findRequirementProgress } from '../../../shared/training/enrollments/requirement-progress.queries.ts'
import { judgedAt } from '../../../shared/training/enrollments/requirement-progress.rules.ts'
import { readsAllRecords } from '../../../shared/training/grants/grant.access.ts'
import { findTestsOf } from '../../../shared/training/knowledge-tests/training-test.queries.ts'
import { findCredits, findRecords } from '../../../shared/training/records/record.queries.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { iso } from '../../http/iso.ts'
import { Instant } from '../../http/schemas.ts'
import { Version, versionView } from '../courses/version.view.ts'
import { Endorsement, endorsementView } from '../endorsements/endorsement.view.ts'
import { TrainingTest, testView } from '../knowledge-tests/test.view.ts'
import { Credit, creditView, recordView, TrainingRecord } from '../records/record.view.ts'
import {
  DeviceUse,
  deviceUseView,
  enrollmentFields,
  enrollmentView,
  RequirementProgress,
  requirementProgressView,
} from './enrollment.view.ts'

/** An enrollment with its syllabus, records, credit ledger and requirement progress. */
export const EnrollmentDetail = z
  .object({
    ...enrollmentFields,
    version: Version,
    records: z
      .array(TrainingRecord)
      .describe('The training records, oldest first. Records that were amended are included'),
    standing: z
      .array(RequirementProgress)
      .describe(
        'The progress in each requirement at the end of the enrollment. For an open enrollment: at `plannedTestAt` ' +
          'if that is in the future, otherwise now',
      ),
    devices: z
      .array(DeviceUse)
      .describe('The time in devices for each ceiling of the version: 14 CFR 141 Appendices B to D'),
    credits: z.array(Credit).describe('The credit ledger, oldest first'),
    endorsements: z.array(Endorsement).describe('The endorsements of this enrollment, newest first'),
    tests: z.array(TrainingTest).describe('The tests of this enrollment, latest first'),
    certificates: z
      .array(
        z.object({
          kind: z.enum(certificateKinds),
          number: z.string().describe('The number in the school’s series of this kind, which has no gaps'),
          issuedAt: Instant,
        }),
      )
      .describe('The certificates that were issued, oldest first: 14 CFR 141.93, 141.95'),
  })
  .meta({ id: 'EnrollmentDetail' })

/** The data of an enrollment's training record. */
export type EnrollmentFile = Awaited<ReturnType<typeof findEnrollmentFile>>

/**
 * Returns an enrollment with all its data. Students read their own; actors who may read all records read any.
 * Implements interface §Training: GET /training/enrollments/{enrollmentId}.
 */
export async function findEnrollmentFile(db: Db, actor: Actor, now: Date, id: number) {
  const { organizationId, organization } = actor
  const enrollment = await findReadableEnrollment(db, actor, id)
  const versionId = enrollment.version.id
  const at = { now: judgedAt(enrollment, now), zone: organization.timeZoneName }
  const [version, records, standing, credits, endorsements, tests, certificates] = await Promise.all([
    findVersion(db, organizationId, versionId),
    findRecords(db, organizationId, { enrollmentId: id }),
    findRequirementProgress(db, { organizationId, id, versionId }, at),
    findCredits(db, organizationId, { enrollmentId: id }),
    findEndorsementsOf(db, organizationId, id),
    findTestsOf(db, organizationId, id),
    findCertificatesOf(db, organizationId, id),
  ])
  return { enrollment, version, records, standing, credits, endorsements, tests, certificates, zone: at.zone }
}

/** Returns an enrollment. Students read their own; actors who may read all records read any. */
export async function findReadableEnrollment(db: Db, actor: Actor, id: number): Promise<EnrollmentRow> {
  const enrollment = await findEnrollment(db, actor.organizationId, id)
  const isOwn = enrollment.student.orgUserId === actor.orgUserId
  if (!isOwn && !(await readsAllRecords(db, actor))) throw trainingErrors.notYourTraining()
  return enrollment
}

export function enrollmentDetailView(file: EnrollmentFile): z.input<typeof EnrollmentDetail> {
  return {
    ...enrollmentView(file.enrollment),
    version: versionView(file.version),
    records: file.records.map(recordView),
    standing: file.standing.requirements.map(requirementProgressView),
    devices: file.standing.devices.map(deviceUseView),
    credits: file.credits.map(creditView),
    endorsements: file.endorsements.map(endorsementView),
    tests: file.tests.map((test) => testView(test, file.zone)),
    certificates: file.certificates.map(({ kind, number, issuedAt }) => ({
      kind,
      number: certificateNumber(kind, number),
      issuedAt: iso(issuedAt),
    })),
  }
}
