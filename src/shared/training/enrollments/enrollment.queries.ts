import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, oneOf, oneOfWords, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { byPerson, byText, byValue, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { RegulatoryPart } from '../courses/syllabus.rules.ts'
import type { VersionState } from '../courses/version.states.ts'
import { trainingErrors } from '../training.errors.ts'
import type { CertifierRole, EnrollmentStatus } from './enrollment.states.ts'
import { feeInvoice } from './fee-invoice.queries.ts'

/** Filters the enrollments of an organization. */
export interface EnrollmentFilter {
  id?: number | undefined
  orgUserIds?: readonly number[] | undefined
  courseIds?: readonly number[] | undefined
  statuses?: readonly EnrollmentStatus[] | undefined
}

/** An enrollment with its people, course and version, and the number of completed lessons of its syllabus. */
export interface EnrollmentRow {
  id: number
  createdAt: Date
  updatedAt: Date
  status: EnrollmentStatus
  student: PersonRow
  /** The member who had the enrollment before a merge; null without a merge. */
  mergedFrom: PersonRow | null
  course: { id: number; name: string; regulatoryPart: RegulatoryPart; targetDays: number | null }
  version: { id: number; label: string; state: VersionState }
  instructor: PersonRow | null
  /** The chief instructor of the course. */
  chiefInstructor: PersonRow | null
  feeCents: Cents | null
  feeLabel: string | null
  feeInvoice: { id: number; status: string } | null
  enrollmentCertificateNumber: string | null
  graduationCertificateNumber: string | null
  certifiedAt: Date | null
  certifiedBy: PersonRow | null
  certifiedAs: CertifierRole | null
  signedSinceCertification: number
  plannedTestAt: Date | null
  plannedApplicationAt: Date | null
  /** The aircraft of the planned test, its examiner and its place. */
  plannedResourceId: number | null
  plannedExaminer: string | null
  plannedLocation: string | null
  endedAt: Date | null
  endReason: string | null
  lessons: number
  completed: number
}

const newestFirst = keyset('desc', ['e.created_at', 'e.id'])

/**
 * The SQL `from` clause of the records `d` that complete a lesson `dl` of an enrollment `e` on its version `v`: with a
 * passing grade, not amended, and signed if the lesson requires it. The rule is the same as in `isCompleted`.
 */
export const completing: RawBuilder<unknown> = sql`from training_record d
  join syllabus_lesson dl on dl.organization_id = d.organization_id and dl.id = d.lesson_id
  where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null
    and (d.signed_at is not null or not dl.requires_signoff)
    and exists (select 1 from jsonb_array_elements(v.grading_scale) g
      where g ->> 'code' = d.grade and (g ->> 'passing')::boolean)`

/** The number of completed lessons of an enrollment `e`. */
export const lessonsCompleted = sql<number>`(select count(distinct d.lesson_id)::int ${completing})`

/** The number of lessons in the version of an enrollment `e`. */
export const lessonsOfVersion = sql<number>`(select count(*)::int from syllabus_lesson l
  where l.organization_id = e.organization_id and l.version_id = e.version_id)`

/** The number of records that were signed after an enrollment `e` was certified. */
const signedSinceCertification = sql<number>`(select count(*)::int from training_record r
  where r.organization_id = e.organization_id and r.enrollment_id = e.id and r.signed_at > e.certified_at)`

const courses = sql`join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
  join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id`

function conditions(organizationId: number, { id, orgUserIds, courseIds, statuses }: EnrollmentFilter) {
  const all: RawBuilder<unknown>[] = [sql`e.organization_id = ${organizationId}`]
  if (id !== undefined) all.push(sql`e.id = ${id}`)
  if (orgUserIds) all.push(oneOf(sql`e.membership_id`, orgUserIds))
  if (courseIds) all.push(oneOf(sql`e.course_id`, courseIds))
  if (statuses) all.push(oneOfWords(sql`e.status`, statuses))
  return sql.join(all, sql` and `)
}

/** Returns SQL for a value of the planned test of an enrollment `e`; null without one. */
function ofPlan(column: string): RawBuilder<unknown> {
  return sql`case when e.planned_test_at is not null then ${sql.ref(column)} end`
}

/** The sort keys of enrollments, over `e`, its course `c` and its version `v`. */
export const enrollmentSortKeys: SortKeys = {
  id: byValue('e.id'),
  status: byText('e.status'),
  orgUserId: byValue('e.membership_id'),
  ...byPerson('student', 'e.membership_id'),
  ...byPerson('mergedFrom', 'e.merged_from'),
  'course.id': byValue('e.course_id'),
  'course.name': byText('c.name'),
  'course.regulatoryPart': byText('c.regulatory_part'),
  'course.targetDays': byValue('c.target_days'),
  versionId: byValue('e.version_id'),
  'version.id': byValue('e.version_id'),
  'version.label': byText('v.label'),
  'version.state': byText('v.state'),
  ...byPerson('instructor', 'e.instructor_id'),
  enrollmentFeeCents: byValue('e.fee_cents'),
  enrollmentFeeLabel: byText('e.fee_label'),
  'feeInvoice.id': feeInvoice(byValue('i.id')),
  'feeInvoice.status': feeInvoice(byText('i.status')),
  enrollmentCertificateNumber: byText('e.enrollment_certificate_number'),
  graduationCertificateNumber: byText('e.graduation_certificate_number'),
  certifiedAt: byValue('e.certified_at'),
  ...byPerson('certifiedBy', 'e.certified_by'),
  certifiedAs: byText('e.certified_as'),
  signedSinceCertification,
  plannedTestAt: byValue('e.planned_test_at'),
  plannedApplicationAt: byValue('e.planned_application_at'),
  'plannedTest.at': byValue('e.planned_test_at'),
  'plannedTest.applicationAt': ofPlan('e.planned_application_at'),
  'plannedTest.resourceId': ofPlan('e.planned_test_resource_id'),
  'plannedTest.examiner': byText(ofPlan('e.planned_examiner')),
  'plannedTest.location': byText(ofPlan('e.planned_location')),
  endedAt: byValue('e.ended_at'),
  endReason: byText('e.end_reason'),
  'progress.lessons': lessonsOfVersion,
  'progress.completed': lessonsCompleted,
  createdAt: byValue('e.created_at'),
  updatedAt: byValue('e.updated_at'),
}

/**
 * Returns the enrollments that match a filter as a list source, newest first or sorted.
 * Implements interface §Training: GET /training/enrollments.
 */
export function listEnrollments(source: Source, organizationId: number, filter: EnrollmentFilter) {
  const where = conditions(organizationId, filter)
  return {
    sortsBy: () => true,
    slice: (offset: number, limit: number, sort?: Sort) => readEnrollments(source, { where, offset, limit, sort }),
    following: (after: Position | null, limit: number) =>
      readEnrollments(source, { where: sql`${where} and ${newestFirst.after(after)}`, limit }),
    count: (most: number) => countUpTo(source, sql`enrollment e where ${where} order by ${newestFirst.order}`, most),
  }
}

interface EnrollmentPage {
  where: RawBuilder<unknown>
  limit: number
  offset?: number
  sort?: Sort | undefined
}

/** Returns a page. The limit applies before the lookups, so that they run only for the rows of the page. */
function readEnrollments(source: Source, page: EnrollmentPage): Promise<Placed<EnrollmentRow>[]> {
  const { where, limit, offset = 0, sort } = page
  const by = sort && orderOf(enrollmentSortKeys, sort)
  const order = by ? sql`${by}, ${newestFirst.order}` : newestFirst.order
  return readRows(
    source,
    sql<Placed<EnrollmentRow>>`
        select e.id, e.created_at as "createdAt", e.updated_at as "updatedAt", e.status,
          ${newestFirst.position} as "cursorPosition",
          ${personJson('e.membership_id')} as student, ${personJson<PersonRow | null>('e.merged_from')} as "mergedFrom", ${personJson('e.instructor_id')} as instructor,
          ${personJson('c.chief_instructor_id')} as "chiefInstructor",
          json_build_object('id', c.id, 'name', c.name, 'regulatoryPart', c.regulatory_part,
            'targetDays', c.target_days) as course,
          json_build_object('id', v.id, 'label', v.label, 'state', v.state) as version,
          e.fee_cents as "feeCents", e.fee_label as "feeLabel",
          ${feeInvoice(sql`json_build_object('id', i.id, 'status', i.status)`)} as "feeInvoice",
          e.enrollment_certificate_number as "enrollmentCertificateNumber",
          e.graduation_certificate_number as "graduationCertificateNumber",
          e.certified_at as "certifiedAt", ${personJson('e.certified_by')} as "certifiedBy",
          e.certified_as as "certifiedAs", ${signedSinceCertification} as "signedSinceCertification",
          e.planned_test_at as "plannedTestAt", e.planned_application_at as "plannedApplicationAt",
          e.planned_test_resource_id as "plannedResourceId", e.planned_examiner as "plannedExaminer",
          e.planned_location as "plannedLocation",
          e.ended_at as "endedAt", e.end_reason as "endReason",
          ${lessonsOfVersion} as lessons, ${lessonsCompleted} as completed
        from (select e.* from enrollment e ${by ? courses : sql``} where ${where}
          order by ${order} ${pageLimit(limit, offset)}) e
        ${courses}
        order by ${order}`,
  )
}

/** Returns one enrollment. */
export async function findEnrollment(source: Source, organizationId: number, id: number): Promise<EnrollmentRow> {
  const [row] = await listEnrollments(source, organizationId, { id }).slice(0, 1)
  if (!row) throw trainingErrors.noSuchEnrollment()
  return row
}

/** Returns whether a member has an open enrollment on a course. */
export async function isEnrolled(
  db: Db,
  organizationId: number,
  { courseId, membershipId }: { courseId: number; membershipId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('enrollment')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('course_id', '=', courseId)
    .where('membership_id', '=', membershipId)
    .where('status', '=', 'enrolled')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a member is the chief instructor of an enrollment's course. */
export async function isChiefInstructorOf(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('enrollment as e')
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.course_id'),
    )
    .select('e.id')
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', id)
    .where('c.chief_instructor_id', '=', orgUserId)
    .executeTakeFirst()
  return row !== undefined
}
