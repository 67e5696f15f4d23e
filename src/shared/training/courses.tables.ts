import { type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { BasisPoints, Cents, Tenths } from '../platform/kernel/units.ts'
import { appendices, type DeviceCeiling } from './courses/device-ceilings.rules.ts'
import type { GradeOption } from './courses/grading.rules.ts'
import { certificates, clocks, lessonKinds, regulatoryParts, requirementSources } from './courses/syllabus.rules.ts'
import { versionStates } from './courses/version.states.ts'

/**
 * A course. Its regulatory part never changes; the fee is in cents. Under Part 141 its chief instructor certifies the
 * training records: 14 CFR 141.85(a), 141.101(c).
 */
export const TrainingCourse = aggregate('training_course', {
  exported: true,
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
    enrollmentFeeCents: p.integer().$type<Cents>().nullable(),
    enrollmentFeeLabel: p.text().nullable(),
    regulatoryPart: p.enum(regulatoryParts).default('part61'),
    certificateSought: p.enum(certificates).nullable(),
    ratingId: p.integer().nullable(),
    targetDays: p.integer().nullable(),
    chiefInstructorId: member.paper('work', 'move', 'training').nullable(),
    archived: p.boolean().default(false),
  },
})
export type TrainingCourse = InferEntity<typeof TrainingCourse>

/** A version of a course's syllabus. Once it is published, neither it nor its parts can change. */
export const SyllabusVersion = aggregate('syllabus_version', {
  exported: true,
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    courseId: p.integer(),
    label: p.text(),
    state: p.enum(versionStates).default('draft'),
    gradingScale: p.json<GradeOption[]>(),
    /**
     * Ceilings of time in devices, as shares of the flight training that the course or the appendix requires, whichever
     * is less: 14 CFR 141 Appendices B to D.
     */
    deviceCeilings: p.json<DeviceCeiling[]>().default([]),
    appendix: p.enum(appendices).nullable(),
    /** The days after graduation in which a practical test can be taken without the hours of Part 61: 14 CFR 61.71(a). */
    graduationWithinDays: p.smallint().default(60),
    publishedAt: instant().nullable(),
    publishedBy: member.act('work', 'training').nullable(),
    approvedAt: instant().nullable(),
    approvalReference: p.text().nullable(),
  },
})
export type SyllabusVersion = InferEntity<typeof SyllabusVersion>

/** The columns of every part of a syllabus. */
const part = { ...tenantRecord, versionId: p.integer() }

/** A stage of the syllabus. Lessons are ordered within it. */
export const SyllabusStage = set('syllabus_stage', {
  exported: true,
  columns: {
    ...part,
    name: p.text(),
    objective: p.text().nullable(),
    position: p.integer(),
    requiresStageCheck: p.boolean().default(false),
  },
})

/** A requirement: a minimum in tenths of hours or as a count. Its ceilings are basis points of that minimum. */
export const SyllabusRequirement = set('syllabus_requirement', {
  exported: true,
  columns: {
    ...part,
    code: p.text(),
    label: p.text(),
    minTenths: p.integer().$type<Tenths>().nullable(),
    minCount: p.integer().nullable(),
    source: p.enum(requirementSources),
    maxSimulatorBps: p.integer().$type<BasisPoints>().nullable(),
    maxTransferBps: p.integer().$type<BasisPoints>().nullable(),
    recencyCalendarMonths: p.integer().nullable(),
    recencyDays: p.integer().nullable(),
    deviceCeilings: p.json<DeviceCeiling[]>().default([]),
  },
})

/** A lesson. Its minimum times are tenths of hours. */
export const SyllabusLesson = set('syllabus_lesson', {
  exported: true,
  columns: {
    ...part,
    stageId: p.integer(),
    name: p.text(),
    position: p.integer(),
    kind: p.enum(lessonKinds),
    objectives: p.text().nullable(),
    completionStandards: p.text().nullable(),
    minFlightTenths: p.integer().$type<Tenths>().nullable(),
    minGroundTenths: p.integer().$type<Tenths>().nullable(),
    requiresSignoff: p.boolean().default(true),
    requiresNotes: p.boolean().default(false),
    isStageCheck: p.boolean().default(false),
  },
})

/** A task of a lesson, usually one of the Airman Certification Standards. */
export const SyllabusTask = set('syllabus_task', {
  exported: true,
  columns: {
    ...part,
    lessonId: p.integer(),
    position: p.integer(),
    name: p.text(),
    acsCode: p.text().nullable(),
    standard: p.text().nullable(),
  },
})

/**
 * The credit that a signed record of a lesson posts to a requirement: the time or count of a clock of the record, or a
 * fixed count.
 */
export const SyllabusCredit = set('syllabus_credit', {
  exported: true,
  columns: {
    ...part,
    lessonId: p.integer(),
    requirementId: p.integer(),
    clock: p.enum(clocks).nullable(),
    count: p.integer().nullable(),
  },
})
