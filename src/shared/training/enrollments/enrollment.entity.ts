import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { certifierRoles, enrollmentStatuses } from './enrollment.states.ts'

/**
 * A student on one version of a course. The fee (cents) and its label are copied from the course at enrolment. The
 * certification says that the record is complete and true; a later change of records or credits removes it. Recency
 * windows are judged at the planned test.
 */
export const Enrollment = defineEntity({
  name: 'Enrollment',
  tableName: 'enrollment',
  properties: {
    ...tenantRecord,
    courseId: p.integer(),
    versionId: p.integer(),
    membershipId: p.integer(),
    /** The member from whom a merge brought it. */
    mergedFrom: p.integer().nullable(),
    instructorId: p.integer().nullable(),
    status: p.enum(enrollmentStatuses).default('enrolled'),
    feeCents: p.integer().$type<Cents>().nullable(),
    feeLabel: p.text().nullable(),
    enrollmentCertificateNumber: p.text().nullable(),
    graduationCertificateNumber: p.text().nullable(),
    certifiedAt: instant().nullable(),
    certifiedBy: p.integer().nullable(),
    certifiedAs: p.enum(certifierRoles).nullable(),
    plannedTestAt: instant().nullable(),
    plannedApplicationAt: instant().nullable(),
    endedAt: instant().nullable(),
    endedBy: p.integer().nullable(),
    endReason: p.text().nullable(),
  },
})
export type Enrollment = InferEntity<typeof Enrollment>
