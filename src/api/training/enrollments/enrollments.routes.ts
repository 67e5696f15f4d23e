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
import { envelope, warnings } from '../../http/schemas.ts'
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
    .describe('Under Part 141, when somebody else than the chief instructor certified it')
    .meta({ examples: [trainingErrors.notTheChief()] }),
}

async function answerEnrollment({ id }: { id: number }, { db, actor }: { db: Db; actor: Actor }) {
  return ok(enrollmentView(await findEnrollment(db, actor.organizationId, id)))
}

/**
 * Issues the certificate of a new or graduated enrollment of a Part 141 course. Returns the enrollment. Implements 14
 * CFR 141.93(a)(1) and 141.95.
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
      'Newest first. Staff see all, and so do holders of the grants `manageEnrollment` and `auditor`; everybody else ' +
      'sees their own, whatever `orgUserId` says. ' +
      'Who is enrolled in a course: 14 CFR 141.93.',
    query: EnrollmentQuery,
    answers: { 200: envelope(z.array(Enrollment)) },
    read: async ({ db, actor, query }) => {
      const { courseId, status } = query
      const orgUserId = (await seesAllEnrollments(db, actor)) ? query.orgUserId : actor.orgUserId
      const enrollments = listEnrollments(db, actor.organizationId, { orgUserId, courseId, status })
      return page(await listPage(enrollments, query, enrollmentView))
    },
  })

  on.post('/training/enrollments', {
    id: 'enrollStudent',
    access: 'member',
    tag,
    summary: 'Enrol a student on a published version',
    description:
      'The course’s fee is kept as it is. One open enrollment a course; after its end the student may enrol again. ' +
      `${opensFor.manageEnrollment} At a Part 141 school its certificate is issued: 14 CFR 141.93(a)(1). ` +
      'The school has verified the citizenship before: 49 CFR 1552.7(a).',
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
    summary: 'Plan the test of a student and who instructs them',
    description:
      'Windows of recency are judged at `plannedTestAt` while it is ahead: 14 CFR 61.109(a)(4), 61.65(d)(2)(i), ' +
      '141 Appendices B and D. What is left out stays. For instructors, admins, and holders of the grant `manageEnrollment`.',
    params: EnrollmentParams,
    body: PlanBody,
    answers,
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.ownInstructor,
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
      'Also after a student left: 14 CFR 141.101(c). A later change of its records or credits takes it back; a signature for ' +
      'earlier training does not, and is counted. For the chief instructor of the course too. ' +
      opensFor.manageEnrollment,
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
      'Part 141: no requirement of the FAA is unmet, and the record is certified. Part 61: nothing blocks it. From then ' +
      `on the record is closed; only the student’s signatures may still come. ${opensFor.manageEnrollment} ` +
      '14 CFR 141.77(a), (b), 141.95.',
    params: EnrollmentParams,
    body: GraduateBody,
    answers,
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
    answer: answerEnrollment,
  })

  on.post('/training/enrollments/:enrollmentId/end', {
    id: 'endEnrollment',
    access: 'member',
    tag,
    summary: 'End an enrollment without graduation',
    description:
      `What was trained can still be signed and put right. ${opensFor.manageEnrollment} ` +
      'Its date is part of the record of 14 CFR 141.101(a)(3).',
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
      'The fee that was kept at enrolment, once; after its invoice is void, again. Waits up to 10 seconds for the ' +
      `processor; past that the invoice is \`pending\` and \`warnings\` say so. ${opensFor.manageEnrollment}`,
    params: EnrollmentParams,
    answers: { 200: envelope(Invoice, warnings) },
    errors: [
      billingErrors.balanceOutOfBounds,
      ...raisedErrors,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchEnrollment,
      platformErrors.feeInvoiced,
      billingErrors.currencyChanged,
      trainingErrors.noFee,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params }) => invoiceFee(tx, actor, params.enrollmentId),
    answer: async (result, call) => ({ ...(await answerOneRaised(result, call)), status: 200 }),
  })
}
