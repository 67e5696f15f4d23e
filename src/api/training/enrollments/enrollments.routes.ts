import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import type { RegulatoryPart } from '../../../shared/training/courses/syllabus.rules.ts'
import type { CertificateKind } from '../../../shared/training/enrollments/certificate.rules.ts'
import { certifyEnrollment, endEnrollment } from '../../../shared/training/enrollments/end-enrollment.ts'
import { enrolStudent } from '../../../shared/training/enrollments/enrol-student.ts'
import { findEnrollment, listEnrollments } from '../../../shared/training/enrollments/enrollment.queries.ts'
import { graduateStudent } from '../../../shared/training/enrollments/graduate-student.ts'
import { invoiceFee } from '../../../shared/training/enrollments/invoice-fee.ts'
import { planEnrollment } from '../../../shared/training/enrollments/plan-enrollment.ts'
import { seesAllEnrollments } from '../../../shared/training/grants/grant.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { answerOneRaised, raisedErrors } from '../../billing/invoices/answer-raised.ts'
import { Invoice } from '../../billing/invoices/invoice.view.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, membersOf, warnings } from '../../http/schemas.ts'
import { EnrollmentParams, opensFor } from '../training.schemas.ts'
import { Enrollment, enrollmentView } from './enrollment.view.ts'
import { EndBody, EnrollmentBody, EnrollmentQuery, GraduateBody, PlanBody } from './enrollments.schemas.ts'
import { issueNow } from './issued-certificates.ts'

const tag = 'Training'
const answers = { 200: envelope(Enrollment) }
const notTheChief = {
  warning: z
    .string()
    .optional()
    .describe('Present when somebody other than the chief instructor certified the record of a Part 141 course'),
}

async function answerEnrollment({ id }: { id: number }, { db, actor }: { db: Db; actor: Actor }) {
  return ok(enrollmentView(await findEnrollment(db, actor.organizationId, id)))
}

/**
 * Issues the certificate of a new or graduated enrollment when its course is a Part 141 course. Returns the enrollment.
 * Implements 14 CFR 141.93(a)(1) and 141.95.
 */
async function issueUnder141<Made extends { id: number; regulatoryPart: RegulatoryPart }>(
  tx: Tx,
  actor: Actor,
  kind: CertificateKind,
  made: Made,
): Promise<Made> {
  if (made.regulatoryPart === 'part141') await issueNow(tx, actor, { enrollmentId: made.id, kind })
  return made
}

export const enrollmentRoutes: Routes = (on) => {
  on.get('/training/enrollments', {
    id: 'listEnrollments',
    access: 'member',
    tag,
    summary: 'List the enrollments',
    description:
      'Lists the enrollments, newest first. Staff and holders of the grant `manageEnrollment` or `auditor` see all; ' +
      'other members see only their own, and `orgUserId` is ignored for them. 14 CFR 141.93 asks a Part 141 school ' +
      'for this list.',
    query: EnrollmentQuery,
    answers: { 200: envelope(z.array(Enrollment)) },
    read: async ({ db, actor, query }) => {
      const { courseId: courseIds, status: statuses } = query
      const all = await seesAllEnrollments(db, actor)
      const orgUserIds = membersOf(all ? query.orgUserId : ['me'], actor)
      const enrollments = listEnrollments(db, actor.organizationId, { orgUserIds, courseIds, statuses })
      return page(await listPage(enrollments, query, enrollmentView))
    },
  })

  on.post('/training/enrollments', {
    id: 'enrollStudent',
    access: 'member',
    tag,
    summary: 'Enroll a student on a published version',
    description:
      'Enrolls a student and stores the present fee of the course with the enrollment. A student has at most one ' +
      'open enrollment per course, and can enroll again after it has ended. For a Part 141 course, the certificate ' +
      'of enrollment is issued (14 CFR 141.93(a)(1)). The school must have verified the student’s citizenship ' +
      `before (49 CFR 1552.7(a)). ${opensFor.manageEnrollment}`,
    body: EnrollmentBody,
    answers,
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.unknownVersion,
      trainingErrors.ownInstructor,
      trainingErrors.grantNeeded,
      platformErrors.enrolledAlready,
      trainingErrors.courseArchived,
      trainingErrors.versionIsDraft,
      trainingErrors.versionRetired,
    ],
    write: async (tx, { actor, body }) => issueUnder141(tx, actor, 'enrollment', await enrolStudent(tx, actor, body)),
    answer: answerEnrollment,
  })

  on.patch('/training/enrollments/:enrollmentId', {
    id: 'planEnrollment',
    access: 'member',
    tag,
    summary: 'Plan a student’s test, and name the instructor',
    description:
      'Changes the fields that are sent. While `plannedTestAt` is in the future, recency windows are checked at that ' +
      'instant: 14 CFR 61.109(a)(4), 61.65(d)(2)(i), Part 141 Appendices B and D. Allowed for instructors, admins, ' +
      'and holders of the grant `manageEnrollment`.',
    params: EnrollmentParams,
    body: PlanBody,
    answers,
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.ownInstructor,
      trainingErrors.planDisagrees,
      trainingErrors.appliedAfterTest,
      trainingErrors.unknownAircraft,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchEnrollment,
      trainingErrors.enrollmentEnded,
    ],
    write: (tx, { actor, params, body }) => planEnrollment(tx, actor, params.enrollmentId, body),
    answer: answerEnrollment,
  })

  on.post('/training/enrollments/:enrollmentId/certify', {
    id: 'certifyEnrollment',
    access: 'member',
    tag,
    summary: 'Certify that the training record is complete and true',
    description:
      'Certifies the training record, also after the student has left (14 CFR 141.101(c)). A later change of its ' +
      'records, credits or tests removes the certification, with one exception: a signature after the end of the ' +
      'enrollment, for training before the certification. `signedSinceCertification` counts the records with such ' +
      'signatures. Allowed for the chief instructor of the course, admins, and holders of the grant ' +
      '`manageEnrollment`.',
    params: EnrollmentParams,
    answers: { 200: envelope(Enrollment, notTheChief) },
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.ownTraining,
      trainingErrors.noSuchEnrollment,
      trainingErrors.enrollmentEnded,
    ],
    write: (tx, { actor, params }) => certifyEnrollment(tx, actor, params.enrollmentId),
    answer: async ({ id, warning }, { db, actor }) =>
      ok(enrollmentView(await findEnrollment(db, actor.organizationId, id)), warning === null ? {} : { warning }),
  })

  on.post('/training/enrollments/:enrollmentId/graduate', {
    id: 'graduateStudent',
    access: 'member',
    tag,
    summary: 'Graduate a student',
    description:
      'Graduates a student and closes the record. After that, only the student can still countersign records. ' +
      'Under Part 141, every requirement except those of the source `school` must be met, a required ' +
      'end-of-course test must be passed, and the record must be certified (14 CFR 141.77(a), (b)); the ' +
      'certificate of graduation is issued (141.95). Under Part 61 nothing blocks graduation. `warnings` names what ' +
      'is not met and does not block. ' +
      `${opensFor.manageEnrollment}`,
    params: EnrollmentParams,
    body: GraduateBody,
    answers: { 200: envelope(Enrollment, warnings) },
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchEnrollment,
      [trainingErrors.cannotGraduate, '`details.obstacles` says what is missing'],
      trainingErrors.enrollmentEnded,
    ],
    write: async (tx, { actor, params, body }) => {
      const graduated = await graduateStudent(tx, actor, params.enrollmentId, body.graduationCertificateNumber)
      return issueUnder141(tx, actor, 'graduation', graduated)
    },
    answer: async ({ id, warnings: unmet }, { db, actor }) => {
      const enrollment = enrollmentView(await findEnrollment(db, actor.organizationId, id))
      return ok(enrollment, unmet.length > 0 ? { warnings: unmet } : {})
    },
  })

  on.post('/training/enrollments/:enrollmentId/end', {
    id: 'endEnrollment',
    access: 'member',
    tag,
    summary: 'End an enrollment without graduation',
    description:
      'Ends an enrollment as terminated or transferred. Its records can still be signed and corrected. The date of ' +
      `the end is part of the training record (14 CFR 141.101(a)(3)). ${opensFor.manageEnrollment}`,
    params: EnrollmentParams,
    body: EndBody,
    answers,
    errors: [trainingErrors.grantNeeded, trainingErrors.noSuchEnrollment, trainingErrors.enrollmentEnded],
    write: (tx, { actor, params, body }) => endEnrollment(tx, actor, params.enrollmentId, body),
    answer: answerEnrollment,
  })

  on.post('/training/enrollments/:enrollmentId/fee', {
    id: 'invoiceEnrollmentFee',
    access: 'member',
    verified: true,
    tag,
    summary: 'Invoice the enrollment fee',
    description:
      'Creates an invoice for the fee that the enrollment stores. It can be called once; when that invoice is void ' +
      'or failed, the fee can be invoiced again. A fee below 50 cents is not invoiced. When the student has ' +
      '`billingMode: ledger`, a holder of the grant `configureTraining` cannot charge the fee, unless the holder is ' +
      'an admin. Waits up to 10 seconds for the payment processor; after that, the invoice is `pending` and ' +
      '`warnings` says so. ' +
      `${opensFor.manageEnrollment}`,
    params: EnrollmentParams,
    answers: { 200: envelope(Invoice, warnings) },
    errors: [
      billingErrors.balanceOutOfBounds,
      ...raisedErrors,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchEnrollment,
      platformErrors.feeInvoiced,
      billingErrors.currencyChanged,
      trainingErrors.feeOnAccount,
      trainingErrors.noFee,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params }) => invoiceFee(tx, actor, params.enrollmentId),
    answer: async (result, call) => ({ ...(await answerOneRaised(result, call)), status: 200 }),
  })
}
