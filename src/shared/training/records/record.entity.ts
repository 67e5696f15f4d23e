import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { clocks } from '../courses/syllabus.rules.ts'
import { creditSources } from './credit.rules.ts'

/** How a task of the lesson went. */
export interface TaskGrade {
  taskId: number
  grade: string
  notes: string | null
}

/**
 * One time that a lesson was trained; times are tenths of hours. What is signed never changes: an amendment is a
 * record of its own, which `amendsId` ties to the one that it replaces.
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
 * An entry of an enrollment's credit ledger: tenths of hours, or a count. Entries are only appended; what was wrong is
 * reversed by an entry of the same amount below zero.
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
