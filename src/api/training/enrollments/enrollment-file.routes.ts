import { z } from 'zod'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findCandidates } from '../../../shared/training/enrollments/candidates.queries.ts'
import { seesAllEnrollments } from '../../../shared/training/grants/grant.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { listOf, listPage } from '../../http/lists.ts'
import { envelope, Id, membersOf, NamedReference } from '../../http/schemas.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { Lesson, Task } from '../courses/version.view.ts'
import { recordSheet } from '../records/pdf/record-sheet.ts'
import { renderRecord } from '../records/pdf/render-record.ts'
import { EnrollmentParams } from '../training.schemas.ts'
import { EnrollmentDetail, enrollmentDetailView, findEnrollmentFile } from './enrollment-detail.ts'
import { CandidateQuery } from './enrollments.schemas.ts'
import { findSchool, readCertificate } from './issued-certificates.ts'

const tag = 'Training'

/** An enrollment, with its lessons that a booking can close out. */
const Candidate = z
  .object({
    enrollmentId: Id,
    course: NamedReference,
    lessons: z.array(
      z.object({
        lessonId: Id,
        name: Lesson.shape.name,
        kind: Lesson.shape.kind,
        completed: z.boolean(),
        tasks: z.array(Task),
      }),
    ),
  })
  .meta({ id: 'TrainingCandidate' })

export const enrollmentFileRoutes: Routes = (on) => {
  on.get('/training/candidates', {
    id: 'listLessonCandidates',
    access: 'member',
    tag,
    summary: 'List the lessons that a booking could close out',
    description:
      'Lists, for each open enrollment of a student, the lessons that a booking could close out: unfinished ' +
      'lessons first, in the order of the syllabus. Enrollments without such lessons are left out. A booking of ' +
      'the type `dual` or `solo` offers flight lessons, `ground` and `sim` offer lessons of their own kind, and ' +
      'other types offer none. Staff and holders of the grant `manageEnrollment` or `auditor` can name any ' +
      'student; other members get their own lessons.',
    query: CandidateQuery,
    answers: { 200: envelope(z.array(Candidate)) },
    errors: [trainingErrors.noSuchVersion],
    read: async ({ db, actor, query }) => {
      const named = membersOf(query.orgUserId ?? ['me'], actor)
      const all = named.every((id) => id === actor.orgUserId) || (await seesAllEnrollments(db, actor))
      const students = { orgUserIds: all ? named : [actor.orgUserId], types: query.type }
      const candidates = await findCandidates(db, actor.organizationId, students)
      return page(
        await listPage(
          listOf(candidates, ({ enrollmentId }) => enrollmentId),
          query,
          (candidate) => candidate,
        ),
      )
    },
  })

  on.get('/training/enrollments/:enrollmentId', {
    id: 'readEnrollment',
    access: 'member',
    tag,
    summary: 'Read an enrollment with its whole training record',
    description:
      'Returns one enrollment with its syllabus, graded records, credit ledger, endorsements, tests and ' +
      'certificates, and the progress in each requirement with the disallowed credit (14 CFR 141.101(a)). As a PDF it ' +
      'is the training record with the requirements, the lessons with their signatures, the credit ledger, and the ' +
      'endorsements word for word: the copy to which 14 CFR 141.101(e) entitles the student. Allowed for the ' +
      'student, instructors, admins, and holders of the grant `manageEnrollment` or `auditor`.',
    params: EnrollmentParams,
    answers: { 200: envelope(EnrollmentDetail) },
    formats: ['json', 'pdf'],
    errors: [
      trainingErrors.notYourTraining,
      trainingErrors.noSuchVersion,
      trainingErrors.noSuchEnrollment,
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ now, params, ...call }) => {
      const { db, actor, format } = call
      const file = await findEnrollmentFile(db, actor, now, params.enrollmentId)
      if (format !== 'pdf') return ok(enrollmentDetailView(file))
      const { name, country, zone } = await findSchool(db, actor)
      const paper = await makeLimited(call, () => renderRecord(recordSheet(file, { name, zone, country }), now))
      return fileAnswer(paper, 'pdf', { name: `training-record-${params.enrollmentId}`, shown: true })
    },
  })

  on.get('/training/enrollments/:enrollmentId/certificates/enrollment', {
    id: 'readEnrollmentCertificate',
    access: 'member',
    tag,
    summary: 'Read the certificate of enrollment as a PDF',
    description:
      'Returns the certificate that a Part 141 school gives each student on enrollment (14 CFR 141.93(a)(1)), byte ' +
      'for byte as it was issued; later changes of names do not affect it. Under Part 141 it is issued on ' +
      'enrollment, otherwise when it is first read. Its number is the next one of the school’s series, which has no ' +
      'gaps. Allowed for everybody who can read the enrollment.',
    params: EnrollmentParams,
    answers: { 200: null },
    formats: ['pdf'],
    errors: [
      trainingErrors.notYourTraining,
      trainingErrors.noSuchVersion,
      trainingErrors.noSuchEnrollment,
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ params, ...call }) => {
      const paper = await makeLimited(call, () => readCertificate(call, params.enrollmentId, 'enrollment'))
      return fileAnswer(paper, 'pdf', { name: `enrollment-certificate-${params.enrollmentId}`, shown: true })
    },
  })

  on.get('/training/enrollments/:enrollmentId/certificates/graduation', {
    id: 'readGraduationCertificate',
    access: 'member',
    tag,
    summary: 'Read the certificate of graduation as a PDF',
    description:
      'Returns the certificate as it was issued on graduation: the school and its certificate number, the ' +
      'graduate, the course, the date, the stages and tests, and the cross-country training received (14 CFR ' +
      '141.95(b)). Certificates of graduation have their own series of numbers. Allowed for everybody who can read ' +
      'the enrollment.',
    params: EnrollmentParams,
    answers: { 200: null },
    formats: ['pdf'],
    errors: [
      trainingErrors.notYourTraining,
      trainingErrors.noSuchVersion,
      trainingErrors.noSuchEnrollment,
      trainingErrors.notGraduated,
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ params, ...call }) => {
      const paper = await makeLimited(call, () => readCertificate(call, params.enrollmentId, 'graduation'))
      return fileAnswer(paper, 'pdf', { name: `graduation-certificate-${params.enrollmentId}`, shown: true })
    },
  })
}
