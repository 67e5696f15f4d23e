import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { appendices, type DeviceCeiling } from './device-ceilings.rules.ts'
import type { GradeOption } from './grading.rules.ts'
import { certificates, regulatoryParts } from './syllabus.rules.ts'
import { versionStates } from './version.states.ts'

/**
 * A course. Its regulatory part never changes; the fee is in cents. Under Part 141 its chief instructor certifies the
 * training records: 14 CFR 141.85(a), 141.101(c).
 */
export const TrainingCourse = defineEntity({
  name: 'TrainingCourse',
  tableName: 'training_course',
  properties: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
    enrollmentFeeCents: p.integer().$type<Cents>().nullable(),
    enrollmentFeeLabel: p.text().nullable(),
    regulatoryPart: p.enum(regulatoryParts).default('part61'),
    certificateSought: p.enum(certificates).nullable(),
    ratingId: p.integer().nullable(),
    targetDays: p.integer().nullable(),
    chiefInstructorId: p.integer().nullable(),
    archived: p.boolean().default(false),
  },
})
export type TrainingCourse = InferEntity<typeof TrainingCourse>

/** A version of a course's syllabus. Once it is published, neither it nor its parts can change. */
export const SyllabusVersion = defineEntity({
  name: 'SyllabusVersion',
  tableName: 'syllabus_version',
  properties: {
    ...tenantRecord,
    courseId: p.integer(),
    label: p.text(),
    state: p.enum(versionStates).default('draft'),
    gradingScale: p.json<GradeOption[]>(),
    /**
     * Shares of the flight training of the course or of the appendix, whichever is less: 14 CFR 141 Appendices B to D.
     */
    deviceCeilings: p.json<DeviceCeiling[]>().default([]),
    appendix: p.enum(appendices).nullable(),
    publishedAt: instant().nullable(),
    publishedBy: p.integer().nullable(),
    approvedAt: instant().nullable(),
    approvalReference: p.text().nullable(),
  },
})
export type SyllabusVersion = InferEntity<typeof SyllabusVersion>
