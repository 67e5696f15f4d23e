import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { PLANNED_AT_EACH_RUN } from '../../platform/db/auto-prepare.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, oneOf, oneOfWords, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { byPerson, byText, byValue, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import { trainingErrors } from '../training.errors.ts'
import type { TestCause, TestFacts, TestResult } from './training-test.rules.ts'

/** Filters the tests of an organization. */
export interface TestFilter {
  id?: number | undefined
  orgUserIds?: readonly number[] | undefined
  enrollmentIds?: readonly number[] | undefined
  kinds?: readonly string[] | undefined
}

export interface TestRow extends TestFacts {
  id: number
  createdAt: Date
  updatedAt: Date
  student: PersonRow
  enrollmentId: number | null
  code: string | null
  causes: TestCause[]
  firstResult: TestResult | null
  resultReason: string | null
  score: number | null
  examiner: string | null
  deficiencies: string | null
  reportNumber: string | null
  endorsementId: number | null
  recordedBy: PersonRow
}

/** The sort keys of tests, over the alias `t`. `expires_at` is the end of the day `validUntil`. */
export const testSortKeys: SortKeys = {
  id: byValue('t.id'),
  orgUserId: byValue('t.membership_id'),
  ...byPerson('student', 't.membership_id'),
  enrollmentId: byValue('t.enrollment_id'),
  kind: byText('t.kind'),
  code: byText('t.code'),
  takenAt: byValue('t.taken_at'),
  result: byText('t.result'),
  'causes.*': (index) => byText(sql`t.causes ->> ${index}::int`),
  firstResult: byText('t.first_result'),
  resultReason: byText('t.result_reason'),
  score: byValue('t.score'),
  examiner: byText('t.examiner'),
  deficiencies: byText('t.deficiencies'),
  reportNumber: byText('t.report_number'),
  validUntil: byValue('t.expires_at'),
  endorsementId: byValue('t.endorsement_id'),
  ...byPerson('recordedBy', 't.recorded_by'),
  createdAt: byValue('t.created_at'),
  updatedAt: byValue('t.updated_at'),
}

const newestFirst = keyset('desc', ['t.taken_at', 't.id'])

const course = sql`left join enrollment e on e.organization_id = t.organization_id and e.id = t.enrollment_id
  left join training_course c on c.organization_id = e.organization_id and c.id = e.course_id`

function conditions(organizationId: number, { id, orgUserIds, enrollmentIds, kinds }: TestFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`t.organization_id = ${organizationId}`]
  if (id !== undefined) all.push(sql`t.id = ${id}`)
  if (orgUserIds) all.push(oneOf(sql`t.membership_id`, orgUserIds))
  if (enrollmentIds) all.push(oneOf(sql`t.enrollment_id`, enrollmentIds))
  if (kinds) all.push(sql`${oneOfWords(sql`t.kind`, kinds)} ${PLANNED_AT_EACH_RUN}`)
  return sql.join(all, sql` and `)
}

/**
 * Returns the tests that match a filter as a list source, latest first or sorted.
 * Implements interface §Training: GET /training/tests.
 */
export function listTests(source: Source, organizationId: number, filter: TestFilter) {
  const where = conditions(organizationId, filter)
  return {
    sortsBy: () => true,
    slice: (offset: number, limit: number, sort?: Sort) => readTests(source, { where, offset, limit, sort }),
    following: (after: Position | null, limit: number) =>
      readTests(source, { where: sql`${where} and ${newestFirst.after(after)}`, limit }),
    count: (most: number) => countUpTo(source, sql`training_test t where ${where}`, most),
  }
}

interface TestPage {
  where: RawBuilder<unknown>
  limit: number
  offset?: number
  sort?: Sort | undefined
}

/** Returns a page. The limit applies before the lookups, so that they run only for the rows of the page. */
function readTests(source: Source, { where, limit, offset = 0, sort }: TestPage): Promise<Placed<TestRow>[]> {
  const by = sort && orderOf(testSortKeys, sort)
  const order = by ? sql`${by}, ${newestFirst.order}` : newestFirst.order
  return readRows(
    source,
    sql<Placed<TestRow>>`
      select t.id, ${newestFirst.position} as "cursorPosition", t.created_at as "createdAt", t.updated_at as "updatedAt",
        ${personJson('t.membership_id')} as student, t.enrollment_id as "enrollmentId", t.kind, t.code, t.taken_at as "takenAt",
        t.result, t.causes, t.first_result as "firstResult", t.result_reason as "resultReason", t.score, t.examiner, t.deficiencies, t.report_number as "reportNumber",
        t.endorsement_id as "endorsementId", ${personJson('t.recorded_by')} as "recordedBy",
        coalesce(c.certificate_sought = 'atp', false) as "airlineTransport"
      from (select t.* from training_test t ${by ? course : sql``} where ${where}
        order by ${order} ${pageLimit(limit, offset)}) t
      ${course}
      order by ${order}`,
  )
}

/** Returns one test. */
export async function findTest(source: Source, organizationId: number, id: number): Promise<TestRow> {
  const [row] = await listTests(source, organizationId, { id }).slice(0, 1)
  if (!row) throw trainingErrors.noSuchTest()
  return row
}

/**
 * Returns whether an enrollment requires an end-of-course test, and whether the last such test was passed. A test is
 * required when the version has an appendix of Part 141 or such a test was taken. 14 CFR 141.77(b).
 */
export async function findFinalTest(
  source: Source,
  { organizationId, id, versionId }: { organizationId: number; id: number; versionId: number },
): Promise<{ owed: boolean; passed: boolean }> {
  const [row] = await readRows(
    source,
    sql<{ owed: boolean; passed: boolean }>`
      select v.appendix is not null or t.result is not null as owed, coalesce(t.result = 'passed', false) as passed
      from syllabus_version v
      left join lateral (
        select t.result from training_test t
        where t.organization_id = v.organization_id and t.enrollment_id = ${id} and t.kind = 'end_of_course'
        order by t.taken_at desc, t.id desc limit 1) t on true
      where v.organization_id = ${organizationId} and v.id = ${versionId}`,
  )
  return row ?? { owed: false, passed: false }
}

/** Returns the latest 1,000 tests of one enrollment, the latest first. */
export function findTestsOf(source: Source, organizationId: number, enrollmentId: number) {
  return listTests(source, organizationId, { enrollmentIds: [enrollmentId] }).slice(0, 1000)
}

/** Returns whether an enrollment is in a course for the airline transport certificate. */
export async function seeksAirlineTransport(
  db: Db,
  organizationId: number,
  enrollmentId: number | null,
): Promise<boolean> {
  if (enrollmentId === null) return false
  const row = await db
    .selectFrom('enrollment as e')
    .innerJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.course_id'),
    )
    .select('c.certificate_sought as sought')
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', enrollmentId)
    .executeTakeFirst()
  return row?.sought === 'atp'
}

/** Returns whether an endorsement belongs to a member, for the recommendation for a test. */
export async function isTheirEndorsement(
  db: Db,
  organizationId: number,
  { endorsementId, membershipId }: { endorsementId: number; membershipId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('endorsement')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', endorsementId)
    .where('membership_id', '=', membershipId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns an SQL condition on a knowledge test, a row of `training_test` under this alias: its practical test has not
 * been passed yet. That is, the student is a member, has not left the course, and has passed neither the practical test
 * nor a later knowledge test in it.
 */
export function awaitsPractical(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`exists (select from membership m where m.organization_id = ${of('organization_id')}
      and m.id = ${of('membership_id')} and m.removed_at is null)
    and not exists (select from enrollment e where e.organization_id = ${of('organization_id')}
      and e.id = ${of('enrollment_id')} and e.status in ('terminated', 'transferred'))
    and not exists (select from training_test p where p.organization_id = ${of('organization_id')}
      and p.membership_id = ${of('membership_id')} and p.enrollment_id is not distinct from ${of('enrollment_id')}
      and p.result = 'passed' and p.kind in ('practical', 'knowledge') and p.taken_at > ${of('taken_at')})`
}

/**
 * Returns the fields of the expiry notice of a knowledge test; undefined when the test does not satisfy
 * `awaitsPractical`.
 */
export function findTestNotice(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('training_test as t')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.id', '=', 't.membership_id'),
    )
    .innerJoin('organization as o', 'o.id', 't.organization_id')
    .leftJoin('enrollment as e', (join) =>
      join.onRef('e.organization_id', '=', 't.organization_id').onRef('e.id', '=', 't.enrollment_id'),
    )
    .select(['t.id', 't.membership_id as orgUserId', 'm.search_name as student', 'o.time_zone_name as zone'])
    .select(['t.enrollment_id as enrollmentId', 'e.instructor_id as instructorId', 't.expires_at as expiresAt'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', id)
    .where(awaitsPractical('t'))
    .executeTakeFirst()
}
