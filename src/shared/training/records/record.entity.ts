import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { clocks } from '../courses/syllabus.rules.ts'
import { creditSources } from './credit.rules.ts'

/** The grade of one task of the lesson. */
export interface TaskGrade {
  taskId: number
  grade: string
  notes: string | null
}

/**
 * The record of one lesson flown or taught; times are tenths of hours. A signed record never changes: an amendment is a
 * record of its own, and its `amendsId` references the record that it replaces.
 */
export const TrainingRecord = defineEntity({
  name: 'TrainingRecord',
  tableName: 'training_record',
  properties: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    versionId: p.integer(),
    lessonId: p.integer(),
    grade: p.text().nullable(),
    notes: p.text().nullable(),
    flightTenths: p.integer().nullable(),
    instructionTenths: p.integer().nullable(),
    simulatorTenths: p.integer().nullable(),
    groundTenths: p.integer().nullable(),
    taskGrades: p.json<TaskGrade[]>(),
    reservationId: p.integer().nullable(),
    instructorId: p.integer(),
    gradedBy: p.integer(),
    trainedAt: instant(),
    signedAt: instant().nullable(),
    signedBy: p.integer().nullable(),
    signerCertificateNumber: p.text().nullable(),
    countersignedAt: instant().nullable(),
    countersignedBy: p.integer().nullable(),
    countersignerCertificateNumber: p.text().nullable(),
    amendsId: p.integer().nullable(),
    amendedAt: instant().nullable(),
    amendedById: p.integer().nullable(),
    amendedBy: p.integer().nullable(),
    amendReason: p.text().nullable(),
  },
})
export type TrainingRecord = InferEntity<typeof TrainingRecord>

/**
 * An entry of an enrollment's credit ledger, in tenths of hours or as a count. Entries are only appended; a correction
 * is a reversal, an entry of the negated amount.
 */
export const CreditEntry = defineEntity({
  name: 'CreditEntry',
  tableName: 'credit_entry',
  properties: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    versionId: p.integer(),
    requirementId: p.integer(),
    tenths: p.integer().nullable(),
    count: p.integer().nullable(),
    source: p.enum(creditSources),
    clock: p.enum(clocks).nullable(),
    notes: p.text().nullable(),
    occurredAt: instant(),
    recordId: p.integer().nullable(),
    reversesId: p.integer().nullable(),
    createdBy: p.integer(),
  },
})
export type CreditEntry = InferEntity<typeof CreditEntry>
