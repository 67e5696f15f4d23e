import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import { creditSources } from '../../../shared/training/enrollments/requirement-progress.rules.ts'
import { MomentInput } from '../../http/moments.ts'
import { distinct, Id, name, note, PathId, text } from '../../http/schemas.ts'
import { CountInput, DeciHoursInput } from '../training.schemas.ts'

const Grade = name(20)
const Notes = text(10_000).trim()
const Time = DeciHoursInput.nullish().describe('Default with `reservationId`: the time by the meters of the booking')
const Logged = DeciHoursInput.nullish().describe(
  'Default with `reservationId`: the time in the student’s flight log when the record is signed',
)

export const RecordBody = z.object({
  enrollmentId: Id,
  lessonId: Id,
  recordId: Id.nullable()
    .default(null)
    .describe('The record to change; fields that the body leaves out keep their values. null: a new record'),
  grade: Grade.nullish().describe('A grade of the version’s grading scale; null: not graded yet'),
  notes: Notes.nullish(),
  flightDeciHours: Time,
  instructionDeciHours: Time,
  simulatorDeciHours: Time,
  groundDeciHours: Time,
  nightDeciHours: Logged,
  crossCountryDeciHours: Logged,
  actualInstrumentDeciHours: Logged,
  simulatedInstrumentDeciHours: Logged,
  picDeciHours: Logged,
  soloDeciHours: Logged,
  landings: CountInput.nullish().describe(
    'The number of landings; default: that in the student’s flight log when the record is signed',
  ),
  reservationId: Id.nullish().describe('The booking of the lesson; the student must be on it'),
  instructorOrgUserId: Id.optional().describe('The instructor of the lesson; default for a new record: the caller'),
  occurredAt: MomentInput.optional().describe(
    'When the training took place, an instant or a local day. Default for a new record: the start of the booking, or else now',
  ),
  taskGrades: z
    .array(z.object({ taskId: Id, grade: Grade, notes: Notes.nullable().default(null) }))
    .max(200)
    .optional()
    .describe('The grades of the lesson’s tasks, which replace those of the record'),
})

const CertificateNumber = name(100).nullable().default(null)

export const SignBody = z
  .object({
    signerCertificateNumber: CertificateNumber,
    credits: z
      .array(
        z.object({
          requirementId: Id,
          deciHours: DeciHoursInput.nullish().describe('The time to post; give either this or `count`'),
          count: CountInput.nullish(),
        }),
      )
      .max(100)
      .nullable()
      .default(null)
      .describe('The credit to post instead of the credit of the lesson; null: the credit of the lesson'),
  })
  .default({ signerCertificateNumber: null, credits: null })

export const SignManyBody = z.object({
  recordIds: z.array(Id).min(1).max(100).transform(distinct).describe('The records to sign: all or none'),
  signerCertificateNumber: CertificateNumber,
})

export const CountersignBody = z
  .object({ signerCertificateNumber: CertificateNumber })
  .default({ signerCertificateNumber: null })

/** The reason for amending a record or reversing credit. */
export const ReasonBody = z.object({ reason: note(2000) })

export const CreditParams = z.object({ creditId: PathId })

export const CreditBody = z.object({
  enrollmentId: Id,
  requirementId: Id,
  source: z.enum(creditSources),
  deciHours: DeciHoursInput.nullish().describe('The time to post; give either this or `count`'),
  count: CountInput.nullish(),
  deviceKind: z
    .enum(deviceKinds)
    .nullable()
    .default(null)
    .describe(
      'The kind of device of `simulator` credit, which some ceilings depend on. Required when the course limits ' +
        'kinds of device; null for other credit',
    ),
  notes: Notes.nullable().default(null).describe('Why the credit is posted; required for the source `manual`'),
  occurredAt: MomentInput.nullable()
    .default(null)
    .describe('When the training took place, an instant or a local day. Recency windows count by this time. null: now'),
})
