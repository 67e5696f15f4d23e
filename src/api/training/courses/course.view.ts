import { z } from 'zod'
import { findRating } from '../../../shared/qualification/ratings.rules.ts'
import type { CourseRow } from '../../../shared/training/courses/course.queries.ts'
import { certificates, regulatoryParts } from '../../../shared/training/courses/syllabus.rules.ts'
import { versionStates } from '../../../shared/training/courses/version.states.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'
import { Rating } from '../../qualification/rating.view.ts'

const VersionSummary = z.object({
  id: Id,
  label: z.string(),
  state: z.enum(versionStates),
  lessons: z.int().describe('The number of lessons'),
  publishedAt: Instant.nullable(),
  approvedAt: Instant.nullable(),
  approvalReference: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})

/** A course with its versions. */
export const Course = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    enrollmentFeeCents: Cents.nullable(),
    enrollmentFeeLabel: z.string().nullable(),
    regulatoryPart: z.enum(regulatoryParts).meta({ choices: 'RegulatoryPart' }),
    certificateSought: z.enum(certificates).meta({ choices: 'CertificateSought' }).nullable(),
    ratingId: Id.nullable(),
    rating: Rating.nullable(),
    targetDays: z.int().nullable(),
    chiefInstructor: Person.nullable(),
    archived: z.boolean(),
    versions: z.array(VersionSummary).describe('The versions of the syllabus, oldest first'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Course' })

export function courseView(row: CourseRow): z.input<typeof Course> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enrollmentFeeCents: row.enrollment_fee_cents,
    enrollmentFeeLabel: row.enrollment_fee_label,
    regulatoryPart: row.regulatory_part,
    certificateSought: row.certificate_sought,
    ratingId: row.rating_id,
    rating: findRating(row.rating_id),
    targetDays: row.target_days,
    chiefInstructor: row.chiefInstructor,
    archived: row.archived,
    versions: row.versions,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
