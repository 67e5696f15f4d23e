import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import { creditSources } from '../../../shared/training/enrollments/requirement-progress.rules.ts'
import { distinct, Id, InstantInput, name, note, PathId, text } from '../../http/schemas.ts'
import { CountInput, DeciHoursInput } from '../training.schemas.ts'

const Grade = name(20).meta({ examples: ['S'] })
const Notes = text(10_000).trim()
const Time = DeciHoursInput.nullish().describe('Tenths of hours; left out with `reservationId`, what its meters show')
const Logged = DeciHoursInput.nullish()
  .describe('Tenths of hours; left out with `reservationId`, what the student’s flight log has when it is signed')
  .meta({ examples: [null] })

export const RecordBody = z.object({
  enrollmentId: Id,
  lessonId: Id,
  recordId: Id.nullable().default(null).describe('Left out, the record is new; given, what is left out stays'),
  grade: Grade.nullish().describe('From the scale of the version'),
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
  landings: CountInput.nullish().describe('Left out, those of the student’s flight log when it is signed'),
  reservationId: Id.nullish().describe('A booking that the student is on'),
  instructorOrgUserId: Id.optional().describe('The caller when left out'),
  occurredAt: InstantInput.optional().describe('When it was trained; the start of the booking, or now, when left out'),
  taskGrades: z
    .array(z.object({ taskId: Id, grade: Grade, notes: Notes.nullable().default(null) }))
    .max(200)
    .optional()
    .describe('Replaces those of the record'),
})

const CertificateNumber = name(100)
  .nullable()
  .default(null)
  .meta({ examples: ['3141592CFI'] })

export const SignBody = z
  .object({
    signerCertificateNumber: CertificateNumber,
    credits: z
      .array(
        z.object({
          requirementId: Id,
          deciHours: DeciHoursInput.nullish().describe('Tenths of hours; or else `count`'),
          count: CountInput.nullish().meta({ examples: [null] }),
        }),
      )
      .max(100)
      .nullable()
      .default(null)
      .describe('In place of what the lesson posts by itself'),
  })
  .default({ signerCertificateNumber: null, credits: null })

export const SignManyBody = z.object({
  recordIds: z
    .array(Id)
    .min(1)
    .max(100)
    .transform(distinct)
    .describe('All are signed or none')
    .meta({ examples: [[1, 2]] }),
  signerCertificateNumber: CertificateNumber,
})

export const CountersignBody = z
  .object({ signerCertificateNumber: CertificateNumber })
  .default({ signerCertificateNumber: null })

/** The reason for amending a record or reversing credit. */
export const ReasonBody = z.object({ reason: note(2000).meta({ examples: ['Posted to the wrong requirement'] }) })

export const CreditParams = z.object({ creditId: PathId })

export const CreditBody = z.object({
  enrollmentId: Id,
  requirementId: Id,
  source: z.enum(creditSources),
  deciHours: DeciHoursInput.nullish().describe('Tenths of hours; or else `count`'),
  count: CountInput.nullish().meta({ examples: [null] }),
  deviceKind: z
    .enum(deviceKinds)
    .nullable()
    .default(null)
    .describe('Of `simulator` credit: the kind of device, which ceilings go by')
    .meta({ examples: [null] }),
  notes: Notes.nullable().default(null).describe('Required for `manual`'),
  occurredAt: InstantInput.nullable()
    .default(null)
    .describe('When it was trained, which windows of recency judge by; now when left out'),
})
