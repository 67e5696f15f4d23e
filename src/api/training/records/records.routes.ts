import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { readsAllRecords } from '../../../shared/training/grants/grant.access.ts'
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
  warning: z.string().optional().describe('The first of `warnings`; absent without warnings'),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'Warnings: one for a Part 141 lesson that is out of order, and one for each duration (such as flight or ' +
        'ground time) that differs from the duration of the booking by more than 0.2 hours. Absent when there are ' +
        'none',
    ),
}

/** Returns a body with its figures under the names that the code uses: hours in tenths end in `Tenths`. */
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
      'Creates the record of a lesson, or changes a record that is not signed. A lesson can be flown several times: ' +
      'each time has its own record. Nobody can grade their own training. A Part 141 lesson that is out of order is ' +
      'graded with a warning. With `reservationId`, absent times are taken from the booking’s meters: flight and ' +
      'instruction time of a `dual`, flight time of a `solo`, simulator time of a `sim`, and ground time from the ' +
      'briefing. Times that differ from the meters by more than 0.2 hours are stored with a warning. The records of ' +
      'a Part 141 course are the log of 14 CFR 141.101(a)(2).',
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

  on.get('/training/records/:recordId', {
    id: 'readTrainingRecord',
    access: 'member',
    tag,
    summary: 'Read a training record',
    description:
      'Returns one record of an enrollment (14 CFR 141.101(a)). Allowed for the student, instructors, admins, and holders of the grant ' +
      '`manageEnrollment` or `auditor`.',
    params: RecordParams,
    answers,
    errors: [trainingErrors.notYourTraining, trainingErrors.noSuchRecord],
    read: async ({ db, actor, params }) => {
      const row = await findRecord(db, actor.organizationId, params.recordId)
      const own = row.student.orgUserId === actor.orgUserId
      if (!own && !(await readsAllRecords(db, actor))) throw trainingErrors.notYourTraining()
      return ok(recordView(row))
    },
  })

  on.post('/training/records/:recordId/sign', {
    id: 'signTrainingRecord',
    access: graders,
    tag,
    summary: 'Sign a graded record',
    description:
      'Signs a graded record. After that it cannot change, only be amended. In the same transaction its credit is ' +
      'posted to the ledger, whatever the grade is. Each credit of the lesson posts either the record’s value for ' +
      'the credit’s `clock`, or the credit’s fixed `count`. Each of night, cross-country, instrument, PIC and solo ' +
      'time and landings (14 CFR 61.51(b)) that the record leaves empty is taken from the student’s flight log of ' +
      'the booking; a time is limited to the length of the flight. A stage check must be signed by a check ' +
      'instructor of the course who is not the student’s own instructor and signed no other lesson of the stage.',
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
      'Signs all the given records or none, each by the rules for a single record (14 CFR 61.51(h)(2), 61.189(a)). ' +
      'When some cannot be signed, `details.problems` names each of them.',
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
    summary: 'Countersign your own training record',
    description:
      'Adds the student’s signature to a record that the instructor has signed (14 CFR 61.51(h), 141.101(a)), also ' +
      'after the end of the enrollment. Only the student of the record may call it.',
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
    summary: 'Replace a signed record by a new one that can be corrected',
    description:
      'Marks a signed record as amended, reverses the credit that it posted, and creates and returns a new record ' +
      'with the same content, to be corrected and signed. Both stay in the training record (14 CFR 141.101(a)).',
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
