import { sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { jsonInstant } from '../../platform/db/read-rows.ts'
import { trainingErrors } from '../training.errors.ts'
import type { VersionState } from './version.states.ts'

/** A version in the list of its course. */
export interface VersionSummary {
  id: number
  label: string
  state: VersionState
  lessons: number
  publishedAt: string | null
  approvedAt: string | null
  approvalReference: string | null
  createdAt: string
  updatedAt: string
}

const versions = sql<VersionSummary[]>`coalesce((select json_agg(json_build_object('id', v.id, 'label', v.label,
    'state', v.state, 'publishedAt', ${jsonInstant('v.published_at')}, 'approvedAt', ${jsonInstant('v.approved_at')},
    'approvalReference', v.approval_reference, 'createdAt', ${jsonInstant('v.created_at')},
    'updatedAt', ${jsonInstant('v.updated_at')}, 'lessons', (select count(*) from syllabus_lesson l
      where l.organization_id = v.organization_id and l.version_id = v.id)) order by v.id)
  from syllabus_version v
  where v.organization_id = training_course.organization_id and v.course_id = training_course.id), '[]')`

/** Selects the courses of an organization, ordered by name. The versions of each course are ordered oldest first. */
function selectCourses(db: Db, organizationId: number) {
  return db
    .selectFrom('training_course')
    .selectAll()
    .select(versions.as('versions'))
    .select(personJson<PersonRow | null>('training_course.chief_instructor_id').as('chiefInstructor'))
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
}

export type CourseRow = Awaited<ReturnType<ReturnType<typeof selectCourses>['execute']>>[number]

/**
 * Returns the courses of an organization as a list source, ordered by name. The versions of each course are ordered
 * oldest first.
 * Implements interface §Training: GET /training/courses.
 */
export function listCourses(db: Db, organizationId: number, includeArchived: boolean) {
  const courses = selectCourses(db, organizationId)
  return pageable(db, includeArchived ? courses : courses.where('archived', '=', false))
}

/** Returns one course with its versions. */
export async function findCourse(db: Db, organizationId: number, id: number): Promise<CourseRow> {
  const row = await selectCourses(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw trainingErrors.noSuchCourse()
  return row
}
