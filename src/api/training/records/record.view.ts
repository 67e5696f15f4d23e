import { z } from 'zod'
import { isPassing } from '../../../shared/training/courses/grading.rules.ts'
import { lessonKinds } from '../../../shared/training/courses/syllabus.rules.ts'
import { creditSources } from '../../../shared/training/enrollments/requirement-progress.rules.ts'
import type { CreditRow, RecordRow } from '../../../shared/training/records/record.queries.ts'
import { recordStatus, recordStatuses } from '../../../shared/training/records/record.states.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { ClockName, DeciHours } from '../training.schemas.ts'

/** The record of one lesson flown or taught. */
export const TrainingRecord = z
  .object({
    id: Id,
    enrollmentId: Id,
    lessonId: Id,
    lesson: z.object({
      id: Id,
      name: z.string().meta({ examples: ['Lesson 4: stalls'] }),
      kind: z.enum(lessonKinds),
      stageId: Id,
      isStageCheck: z.boolean(),
    }),
    student: Person,
    status: z.enum(recordStatuses),
    grade: z
      .string()
      .nullable()
      .meta({ examples: ['S'] }),
    passing: z.boolean(),
    notes: z.string().nullable(),
    flightDeciHours: DeciHours.nullable(),
    instructionDeciHours: DeciHours.nullable(),
    simulatorDeciHours: DeciHours.nullable().meta({ examples: [null] }),
    groundDeciHours: DeciHours.nullable().meta({ examples: [5] }),
    taskGrades: z.array(
      z.object({ taskId: Id, grade: z.string().meta({ examples: ['S'] }), notes: z.string().nullable() }),
    ),
    reservationId: Id.nullable(),
    instructorOrgUserId: Id,
    instructor: Person,
    gradedBy: Person,
    occurredAt: Instant.describe('When it was trained; windows of recency judge by it'),
    signedAt: Instant.nullable(),
    signedBy: Person.nullable(),
    signerCertificateNumber: z.string().nullable(),
    countersignedAt: Instant.nullable(),
    countersignedBy: Person.nullable(),
    countersignerCertificateNumber: z.string().nullable(),
    amendsId: Id.nullable().describe('The record that this one replaces'),
    amendedAt: Instant.nullable(),
    amendedById: Id.nullable().describe('The record that replaces this one'),
    amendedBy: Person.nullable(),
    amendReason: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TrainingRecord' })

export function recordView(row: RecordRow): z.input<typeof TrainingRecord> {
  const { gradingScale, flightTenths, instructionTenths, simulatorTenths, groundTenths, trainedAt, ...record } = row
  return {
    ...record,
    lessonId: row.lesson.id,
    status: recordStatus(row),
    passing: isPassing(gradingScale, row.grade),
    flightDeciHours: flightTenths,
    instructionDeciHours: instructionTenths,
    simulatorDeciHours: simulatorTenths,
    groundDeciHours: groundTenths,
    instructorOrgUserId: row.instructor.orgUserId,
    occurredAt: iso(trainedAt),
    signedAt: iso(row.signedAt),
    countersignedAt: iso(row.countersignedAt),
    amendedAt: iso(row.amendedAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** An entry of the credit ledger, in tenths of hours or as a count; negative for a reversal. */
export const Credit = z
  .object({
    id: Id,
    enrollmentId: Id,
    requirementId: Id,
    code: z
      .string()
      .describe('The requirement’s')
      .meta({ examples: ['PPL.DUAL'] }),
    deciHours: DeciHours.nullable(),
    count: z
      .int()
      .nullable()
      .meta({ examples: [null] }),
    source: z.enum(creditSources),
    clock: ClockName.nullable().describe('The clock of a lesson that it was posted from'),
    notes: z.string().nullable(),
    occurredAt: Instant,
    recordId: Id.nullable(),
    reversesId: Id.nullable().meta({ examples: [null] }),
    reversedById: Id.nullable().meta({ examples: [null] }),
    createdBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Credit' })

export function creditView({ tenths, ...row }: CreditRow): z.input<typeof Credit> {
  return {
    ...row,
    deciHours: tenths,
    occurredAt: iso(row.occurredAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}
