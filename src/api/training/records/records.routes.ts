import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { graders } from '../../../shared/training/grants/grants.rules.ts'
import { amendRecord } from '../../../shared/training/records/amend-record.ts'
import { countersignRecord } from '../../../shared/training/records/countersign-record.ts'
import { type GradedLesson, gradeLesson } from '../../../shared/training/records/grade-lesson.ts'
import { findCredits, findRecord, findRecords } from '../../../shared/training/records/record.queries.ts'
import { recordFigures } from '../../../shared/training/records/record-figures.rules.ts'
import { signRecord } from '../../../shared/training/records/sign-record.ts'
import { signRecords } from '../../../shared/training/records/sign-records.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { RecordParams } from '../training.schemas.ts'
import { Credit, creditView, recordView, TrainingRecord } from './record.view.ts'
import { CountersignBody, ReasonBody, RecordBody, SignBody, SignManyBody } from './records.schemas.ts'

const tag = 'Training'
const answers = { 200: envelope(TrainingRecord) }

const Signed = TrainingRecord.extend({ creditsPosted: z.array(Credit) }).meta({ id: 'SignedTrainingRecord' })
const beside = {
  warning: z
    .string()
    .optional()
    .describe('The first of `warnings`')
    .meta({ examples: ['This lesson comes after lessons that are not passed yet: Lesson 3.'] }),
  warnings: z
    .array(z.string())
    .optional()
    .describe('A Part 141 lesson before its turn, and times that differ from the booking’s by more than 0.2 hours')
    .meta({ examples: [['This lesson comes after lessons that are not passed yet: Lesson 3.']] }),
}

/** Returns a body with its figures under the names of the code. */
function inTenths(body: z.output<typeof RecordBody>): GradedLesson {
  const figures = recordFigures.map((name) => [name, body[name.replace(/Tenths$/, 'DeciHours') as keyof typeof body]])
  return { ...body, figures: Object.fromEntries(figures) }
}

async function viewRecord({ db, actor }: Pick<Call<'member'>, 'db' | 'actor'>, id: number) {
  return recordView(await findRecord(db, actor.organizationId, id))
}

/** The errors of signing a record, alone or with others. */
const signErrors = [
  trainingErrors.notesMissing,
  trainingErrors.creditNotInSyllabus,
  trainingErrors.ownTraining,
  trainingErrors.checkInstructorNeeded,
  trainingErrors.ownStudent,
  trainingErrors.noSuchRecord,
  trainingErrors.studentGraduated,
  trainingErrors.recordSigned,
  trainingErrors.recordNotGraded,
] as const

export const recordRoutes: Routes = (on) => {
  on.post('/training/records', {
    id: 'putTrainingRecord',
    access: graders,
    tag,
    summary: 'Grade a lesson, or change a record that is not signed',
    description:
      'A lesson may be flown again: each time is a record. Nobody grades their own training. Under Part 141 a lesson ' +
      'before its turn is graded all the same, with `warning`. With `reservationId` the times that the body leaves out are ' +
      'those of the booking’s meters: flight and instruction of a dual, flight of a solo, simulator of a sim, ground of the ' +
      'briefing. Times that differ from them by more than 0.2 hours are kept with a warning. ' +
      'Part 141: the log of 14 CFR 141.101(a)(2).',
    body: RecordBody,
    answers: { 200: envelope(TrainingRecord, beside) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      fleetErrors.unknownBooking,
      trainingErrors.ownInstructor,
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.lessonNotInSyllabus,
      trainingErrors.unknownRecord,
      trainingErrors.gradeUnknown,
      trainingErrors.unknownTask,
      trainingErrors.taskGradeUnknown,
      trainingErrors.taskGradedTwice,
      trainingErrors.bookingCancelled,
      trainingErrors.studentNotOnBooking,
      trainingErrors.ownTraining,
      trainingErrors.enrollmentEnded,
      trainingErrors.recordSigned,
    ],
    write: (tx, { actor, body }) => gradeLesson(tx, actor, inTenths(body)),
    answer: async ({ id, warnings }, call) =>
      ok(await viewRecord(call, id), warnings.length > 0 ? { warning: warnings[0], warnings } : {}),
  })

  on.post('/training/records/:recordId/sign', {
    id: 'signTrainingRecord',
    access: graders,
    tag,
    summary: 'Sign a graded record',
    description:
      'Freezes it, and posts its credit to the ledger in the same transaction: for each credit of the lesson what that ' +
      'clock of the record shows, or the count, whatever the grade. Night, cross-country, instrument, PIC and solo time and ' +
      'landings (14 CFR 61.51(b)) that the record does not have are read from the student’s flight log of its booking. A stage check is signed by a check instructor of ' +
      'the course who is not the student’s own instructor and signed no other lesson of the stage.',
    params: RecordParams,
    body: SignBody,
    answers: { 200: envelope(Signed) },
    errors: [
      ...signErrors,
      trainingErrors.creditOfBoth,
      trainingErrors.creditOfNeither,
      trainingErrors.creditZero,
      trainingErrors.requirementCounted,
      trainingErrors.requirementTimed,
    ],
    write: (tx, { actor, params, body }) =>
      signRecord(tx, actor, params.recordId, {
        certificateNumber: body.signerCertificateNumber,
        credits: body.credits,
      }),
    answer: async ({ id, creditIds }, call) => {
      const posted = await findCredits(call.db, call.actor.organizationId, { ids: creditIds })
      return ok({ ...(await viewRecord(call, id)), creditsPosted: posted.map(creditView) })
    },
  })

  on.post('/training/records/sign', {
    id: 'signTrainingRecords',
    access: graders,
    tag,
    summary: 'Sign several graded records at once',
    description:
      'All or none, each as when it is signed alone. `details.problems` names every record that stands in the way. ' +
      '14 CFR 61.51(h)(2), 61.189(a).',
    body: SignManyBody,
    answers: { 200: envelope(z.array(TrainingRecord)) },
    errors: [...signErrors, trainingErrors.unknownRecordToSign],
    write: (tx, { actor, body: { recordIds, signerCertificateNumber: certificateNumber } }) =>
      signRecords(tx, actor, { recordIds, certificateNumber }),
    answer: async ({ ids }, { db, actor }) =>
      ok((await findRecords(db, actor.organizationId, { ids })).map(recordView)),
  })

  on.post('/training/records/:recordId/countersign', {
    id: 'countersignTrainingRecord',
    access: 'member',
    tag,
    summary: 'Countersign one’s own record',
    description:
      'For the student on the record, once the instructor has signed (14 CFR 61.51(h), 141.101(a)); after the end of the ' +
      'enrollment too.',
    params: RecordParams,
    body: CountersignBody,
    answers,
    errors: [
      trainingErrors.notYourRecord,
      trainingErrors.noSuchRecord,
      platformErrors.recordAmended,
      trainingErrors.recordNotSigned,
      trainingErrors.countersignedAlready,
    ],
    write: (tx, { actor, params, body }) => countersignRecord(tx, actor, params.recordId, body.signerCertificateNumber),
    answer: async ({ id }, call) => ok(await viewRecord(call, id)),
  })

  on.post('/training/records/:recordId/amend', {
    id: 'amendTrainingRecord',
    access: graders,
    tag,
    summary: 'Replace a signed record by one that can be put right',
    description:
      'The original is marked amended and what it posted is reversed. The answer is the new record: the same content, to ' +
      'be changed and signed. ' +
      'Both stay in the record of 14 CFR 141.101(a).',
    params: RecordParams,
    body: ReasonBody,
    answers,
    errors: [
      trainingErrors.ownTraining,
      trainingErrors.noSuchRecord,
      platformErrors.recordAmended,
      trainingErrors.studentGraduated,
      trainingErrors.nothingToAmend,
    ],
    write: (tx, { actor, params, body }) => amendRecord(tx, actor, params.recordId, body.reason),
    answer: async ({ id }, call) => ok(await viewRecord(call, id)),
  })
}
