import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import { isPassing } from '../../../shared/training/courses/grading.rules.ts'
import { lessonKinds } from '../../../shared/training/courses/syllabus.rules.ts'
import { creditSources } from '../../../shared/training/enrollments/requirement-progress.rules.ts'
import type { CreditRow, RecordRow } from '../../../shared/training/records/record.queries.ts'
import { recordStatus, recordStatuses } from '../../../shared/training/records/record.states.ts'
import { type RecordFigures, recordFigures } from '../../../shared/training/records/record-figures.rules.ts'
import { iso } from '../../http/iso.ts'
import { Signer, signerView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { ClockName, DeciHours } from '../training.schemas.ts'

/** The record of one lesson flown or taught. */
export const TrainingRecord = z
  .object({
    id: Id,
    enrollmentId: Id,
    lessonId: Id,
    lesson: z
      .object({
        id: Id,
        name: z.string(),
        kind: z.enum(lessonKinds),
        stageId: Id,
        isStageCheck: z.boolean(),
      })
      .meta({ id: 'RecordedLesson' }),
    student: Person,
    status: z.enum(recordStatuses),
    grade: z.string().nullable(),
    passing: z.boolean(),
    notes: z.string().nullable(),
    flightDeciHours: DeciHours.nullable(),
    instructionDeciHours: DeciHours.nullable(),
    simulatorDeciHours: DeciHours.nullable(),
    groundDeciHours: DeciHours.nullable(),
    nightDeciHours: DeciHours.nullable(),
    crossCountryDeciHours: DeciHours.nullable(),
    actualInstrumentDeciHours: DeciHours.nullable(),
    simulatedInstrumentDeciHours: DeciHours.nullable(),
    picDeciHours: DeciHours.nullable(),
    soloDeciHours: DeciHours.nullable(),
    landings: z.int().nullable(),
    taskGrades: z.array(
      z.object({ taskId: Id, grade: z.string(), notes: z.string().nullable() }).meta({ id: 'TaskGrade' }),
    ),
    reservationId: Id.nullable(),
    instructorOrgUserId: Id,
    instructor: Person,
    gradedBy: Person,
    occurredAt: Instant.describe('When the training took place. Recency windows count by this time'),
    signedAt: Instant.nullable(),
    signedBy: Signer.nullable(),
    signedAfterCertification: z
      .boolean()
      .describe('Whether the record was signed after the enrollment was certified. The certification stays'),
    countersignedAt: Instant.nullable(),
    countersignedBy: Signer.nullable(),
    amendsId: Id.nullable().describe('The amended record that this one replaces; null: none'),
    amendedAt: Instant.nullable(),
    amendedById: Id.nullable().describe('The record that replaces this amended one; null: none'),
    amendedBy: Person.nullable(),
    amendReason: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TrainingRecord' })

export function recordView(row: RecordRow): z.input<typeof TrainingRecord> {
  const { gradingScale, trainedAt, signerCertificateNumber, countersignerCertificateNumber, ...record } = row
  return {
    ...record,
    ...figuresView(row),
    lessonId: row.lesson.id,
    status: recordStatus(row),
    passing: isPassing(gradingScale, row.grade),
    instructorOrgUserId: row.instructor.orgUserId,
    occurredAt: iso(trainedAt),
    signedAt: iso(row.signedAt),
    signedBy: signerView(row.signedBy, signerCertificateNumber),
    countersignedBy: signerView(row.countersignedBy, countersignerCertificateNumber),
    countersignedAt: iso(row.countersignedAt),
    amendedAt: iso(row.amendedAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** Returns the figures of a record under their names in the interface. */
function figuresView(row: RecordFigures): Interfaced<RecordFigures> {
  const named = recordFigures.map((name) => [name.replace(/Tenths$/, 'DeciHours'), row[name]])
  return Object.fromEntries(named) as Interfaced<RecordFigures>
}

/** The figures with their field names in the API: a name that ends in `Tenths` ends in `DeciHours` instead. */
export type Interfaced<Figures> = {
  [Name in keyof Figures as Name extends `${infer Time}Tenths` ? `${Time}DeciHours` : Name]: Figures[Name]
}

/** An entry of the credit ledger, in tenths of hours or as a count; negative for a reversal. */
export const Credit = z
  .object({
    id: Id,
    enrollmentId: Id,
    requirementId: Id,
    code: z.string().describe('The code of the requirement'),
    deciHours: DeciHours.nullable(),
    count: z.int().nullable(),
    source: z.enum(creditSources),
    clock: ClockName.nullable().describe('The clock of the record that was posted; null: not posted from a clock'),
    deviceKind: z
      .enum(deviceKinds)
      .nullable()
      .describe('The kind of simulator or training device; null for an aircraft, or when it is not known'),
    notes: z.string().nullable(),
    occurredAt: Instant,
    recordId: Id.nullable(),
    reversesId: Id.nullable(),
    reversedById: Id.nullable(),
    createdBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TrainingCredit' })

export function creditView({ tenths, ...row }: CreditRow): z.input<typeof Credit> {
  return {
    ...row,
    deciHours: tenths,
    occurredAt: iso(row.occurredAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}
