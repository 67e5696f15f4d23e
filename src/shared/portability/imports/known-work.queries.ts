import { sql } from 'kysely'
import { dueOf, findMaintenanceItemsOf } from '../../fleet/maintenance/maintenance-item.queries.ts'
import type { Db } from '../../platform/db/database.ts'

/** Returns the maintenance items of a resource with the fields that an import compares. */
export async function findKnownItems(db: Db, organizationId: number, resourceId: number) {
  const items = await findMaintenanceItemsOf(db, organizationId, resourceId)
  return items.map((item) => ({
    id: item.id,
    name: item.name,
    grounding: item.grounding,
    kind: item.kind,
    limits: dueOf(item).limits.map(({ basis, intervalMonths, intervalDays, interval, lastDoneAt, lastDone }) => ({
      basis,
      intervalMonths,
      intervalDays,
      intervalHours: interval,
      lastDoneAt,
      lastDoneReading: lastDone,
    })),
  }))
}

/** Returns the endorsements of a member, superseded ones included. */
export function findKnownEndorsements(db: Db, organizationId: number, memberId: number) {
  return db
    .selectFrom('endorsement')
    .select(['id', 'template_code as templateCode', 'title', 'signed_at as signedAt'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', memberId)
    .execute()
}

/** A requirement of a version, with the code by which a row refers to it. */
interface KnownRequirement {
  id: number
  code: string
}

const requirements = sql<KnownRequirement[]>`coalesce((
  select json_agg(json_build_object('id', q.id, 'code', q.code) order by q.id) from syllabus_requirement q
  where q.organization_id = v.organization_id and q.version_id = v.id), '[]')`

/** Returns the published versions of the courses that are not archived, the first published first. */
export function findPublishedVersions(db: Db, organizationId: number) {
  return db
    .selectFrom('syllabus_version as v')
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'v.organization_id').onRef('c.id', '=', 'v.course_id'),
    )
    .select(['v.id', 'v.label', 'c.name as course', 'c.id as courseId', requirements.as('requirements')])
    .where('v.organization_id', '=', organizationId)
    .where('v.state', '=', 'published')
    .where('c.archived', '=', false)
    .orderBy('v.published_at')
    .orderBy('v.id')
    .execute()
}

/** Returns the versions of all courses of an organization, drafts included, ordered by id. */
export function findKnownVersions(db: Db, organizationId: number) {
  return db
    .selectFrom('syllabus_version as v')
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'v.organization_id').onRef('c.id', '=', 'v.course_id'),
    )
    .select(['v.id', 'v.label', 'c.name as course', 'c.id as courseId'])
    .where('v.organization_id', '=', organizationId)
    .orderBy('v.id')
    .execute()
}

/** Returns the open enrollments of a member, with the requirements of their versions. */
export function findKnownEnrollments(db: Db, organizationId: number, memberId: number) {
  return db
    .selectFrom('enrollment as e')
    .innerJoin('syllabus_version as v', (join) =>
      join.onRef('v.organization_id', '=', 'e.organization_id').onRef('v.id', '=', 'e.version_id'),
    )
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.course_id'),
    )
    .select(['e.id', 'c.name as course', 'e.created_at as enrolledAt', requirements.as('requirements')])
    .where('e.organization_id', '=', organizationId)
    .where('e.membership_id', '=', memberId)
    .where('e.status', '=', 'enrolled')
    .execute()
}

/** Returns the credits of an enrollment. */
export function findKnownCredits(db: Db, organizationId: number, enrollmentId: number) {
  return db
    .selectFrom('credit_entry')
    .select(['requirement_id as requirementId', 'tenths', 'count', 'occurred_at as occurredAt'])
    .where('organization_id', '=', organizationId)
    .where('enrollment_id', '=', enrollmentId)
    .execute()
}

/**
 * Returns the bookings of a resource (for null, the bookings without one) that start at an instant and are not
 * cancelled.
 */
export function findBookingsAt(
  db: Db,
  organizationId: number,
  { resourceId, start }: { resourceId: number | null; start: Date },
) {
  return db
    .selectFrom('reservation')
    .select(['id', 'title', 'type', 'ends_at as endsAt'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', resourceId === null ? 'is' : '=', resourceId)
    .where('starts_at', '=', start)
    .where('live', '=', true)
    .orderBy('id')
    .execute()
}
