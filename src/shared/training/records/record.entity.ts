import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Tenths } from '../../platform/kernel/units.ts'

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
    flightTenths: p.integer().$type<Tenths>().nullable(),
    instructionTenths: p.integer().$type<Tenths>().nullable(),
    simulatorTenths: p.integer().$type<Tenths>().nullable(),
    groundTenths: p.integer().$type<Tenths>().nullable(),
    nightTenths: p.integer().$type<Tenths>().nullable(),
    crossCountryTenths: p.integer().$type<Tenths>().nullable(),
    actualInstrumentTenths: p.integer().$type<Tenths>().nullable(),
    simulatedInstrumentTenths: p.integer().$type<Tenths>().nullable(),
    picTenths: p.integer().$type<Tenths>().nullable(),
    soloTenths: p.integer().$type<Tenths>().nullable(),
    landings: p.integer().nullable(),
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
