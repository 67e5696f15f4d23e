import { type InferEntity, p } from '@mikro-orm/core'
import { deviceKinds } from '../fleet/resources/resource.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Tenths } from '../platform/kernel/units.ts'
import { clocks } from './courses/syllabus.rules.ts'
import { certificateKinds } from './enrollments/certificate.rules.ts'
import { certifierRoles, enrollmentStatuses } from './enrollments/enrollment.states.ts'
import { creditSources } from './enrollments/requirement-progress.rules.ts'
import { grantKinds } from './grants/grants.rules.ts'
import { type TestCause, testKinds, testResults } from './knowledge-tests/training-test.rules.ts'

/**
 * The enrollment of a student on one version of a course. The fee (cents) and its label are copied from the course at
 * enrolment. The certification states that the record is complete and true; a later change of records or credits
 * removes it. Recency windows are judged at the planned test while it is in the future.
 */
export const Enrollment = aggregate('enrollment', {
  exported: true,
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    courseId: p.integer(),
    versionId: p.integer(),
    membershipId: member.paper('enrollments', 'move', 'training'),
    /** The member who had the enrollment before a merge; null without a merge. */
    mergedFrom: member.act('enrollments', 'none').nullable(),
    instructorId: member.paper('enrollments', 'move', 'training').nullable(),
    status: p.enum(enrollmentStatuses).default('enrolled'),
    feeCents: p.integer().$type<Cents>().nullable(),
    feeLabel: p.text().nullable(),
    enrollmentCertificateNumber: p.text().nullable(),
    graduationCertificateNumber: p.text().nullable(),
    certifiedAt: instant().nullable(),
    certifiedBy: member.act('training_records', 'training').nullable(),
    certifiedAs: p.enum(certifierRoles).nullable(),
    plannedTestAt: instant().nullable(),
    plannedApplicationAt: instant().nullable(),
    /** The aircraft of the planned test, its examiner and its place. */
    plannedTestResourceId: p.integer().nullable(),
    plannedExaminer: p.text().nullable(),
    plannedLocation: p.text().nullable(),
    /** The lead time of the last notice that the student is not ready for the planned test, in days; null before the first. */
    testNotifiedDays: p.smallint().nullable(),
    /** When it was last in the weekly digest of stalled students; null before the first. */
    stalledNotifiedAt: instant().nullable(),
    endedAt: instant().nullable(),
    endedBy: member.act('training_records', 'training').nullable(),
    endReason: p.text().nullable(),
  },
})
export type Enrollment = InferEntity<typeof Enrollment>

/** The lesson that is planned for a student on a booking. */
export const PlannedLesson = set('planned_lesson', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: member.booked('bookings'),
    versionId: p.integer(),
    lessonId: p.integer(),
  },
})

/** A document of the student that may be appended to the packet for the practical test, until an instant. */
export const PacketDocument = set('packet_document', {
  exported: true,
  columns: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    documentId: p.integer(),
    membershipId: member.own('documents'),
    until: instant(),
  },
})

/**
 * An issued certificate. Its PDF stays the same when names change later. The numbers of an organization and kind have
 * no gaps.
 */
export const TrainingCertificate = log('training_certificate', {
  exported: { without: ['pdf'] },
  rights: 'append only',
  columns: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    kind: p.enum(certificateKinds),
    number: p.integer(),
    pdf: p.blob(),
  },
})

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
export const TrainingRecord = aggregate('training_record', {
  exported: true,
  rights: 'no delete',
  columns: {
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
    instructorId: member.act('training_records', 'training'),
    gradedBy: member.act('training_records', 'training'),
    trainedAt: instant(),
    signedAt: instant().nullable(),
    signedBy: member.act('training_records', 'training').nullable(),
    signerCertificateNumber: p.text().nullable(),
    countersignedAt: instant().nullable(),
    countersignedBy: member.act('training_records', 'training').nullable(),
    countersignerCertificateNumber: p.text().nullable(),
    amendsId: p.integer().nullable(),
    amendedAt: instant().nullable(),
    amendedById: p.integer().nullable(),
    amendedBy: member.act('training_records', 'training').nullable(),
    amendReason: p.text().nullable(),
  },
})
export type TrainingRecord = InferEntity<typeof TrainingRecord>

/**
 * An entry of an enrollment's credit ledger, in tenths of hours or as a count. Entries are only appended; a correction
 * is a reversal, an entry of the negated amount.
 */
export const CreditEntry = log('credit_entry', {
  exported: true,
  rights: 'append only',
  columns: {
    ...tenantRecord,
    enrollmentId: p.integer(),
    versionId: p.integer(),
    requirementId: p.integer(),
    tenths: p.integer().$type<Tenths>().nullable(),
    count: p.integer().nullable(),
    source: p.enum(creditSources),
    clock: p.enum(clocks).nullable(),
    /** The kind of device in which the time was; null for an aircraft, or when it is not known. */
    deviceKind: p.enum(deviceKinds).nullable(),
    notes: p.text().nullable(),
    occurredAt: instant(),
    recordId: p.integer().nullable(),
    reversesId: p.integer().nullable(),
    createdBy: member.act('training_records', 'training'),
  },
})

/** A test that a student took; `score` in percent. `enrollmentId` is null for a test outside a course. */
export const TrainingTest = aggregate('training_test', {
  exported: true,
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('training_tests', 'move', 'training'),
    enrollmentId: p.integer().nullable(),
    kind: p.enum(testKinds),
    /** Which knowledge test it was, such as `PAR`; null: not known. */
    code: p.text().nullable(),
    takenAt: instant(),
    result: p.enum(testResults),
    /** What a practical test was failed or discontinued for. */
    causes: p.json<readonly TestCause[]>().default([]),
    /** The result as it was recorded first, when it was changed later than a day, and why. */
    firstResult: p.enum(testResults).nullable(),
    resultReason: p.text().nullable(),
    score: p.smallint().nullable(),
    examiner: p.text().nullable(),
    deficiencies: p.text().nullable(),
    reportNumber: p.text().nullable(),
    /** The endorsement that recommends the student for the test. */
    endorsementId: p.integer().nullable(),
    recordedBy: member.act('training_tests', 'training'),
    /** When a passed knowledge test expires; null for other tests. */
    expiresAt: instant().nullable(),
    expiryNotifiedDays: p.smallint().nullable(),
  },
})
export type TrainingTest = InferEntity<typeof TrainingTest>

/**
 * A right in training beyond the member's roles: one row per member, kind and course. Only `checkInstructor` has a
 * `courseId`.
 */
export const TrainingGrant = set('training_grant', {
  exported: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('work', { once: ['kind', 'courseId'] }),
    kind: p.enum(grantKinds),
    courseId: p.integer().nullable(),
    grantedBy: member.act('work', 'others'),
  },
})
