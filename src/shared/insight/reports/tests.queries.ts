import { sql } from 'kysely'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { testCauses } from '../../training/knowledge-tests/training-test.rules.ts'
import { type TestGroup, type TestReportRow, testReport } from './tests.rules.ts'

/** The windows of the report: the one that was asked for, and the usual one. */
interface TestWindows {
  asked: Interval
  usual: Interval
}

/**
 * Returns the practical tests of enrollments by course and instructor: who signed the recommendation of the test, else the instructor of the
 * enrollment. Only who sees all of a course chooses the window, so that two windows do not differ by one test. Implements
 * interface §28.4 and S102.
 */
export async function findTestReport(db: Db, reader: Actor, { asked, usual }: TestWindows): Promise<TestReportRow[]> {
  const { organizationId, orgUserId } = reader
  const isAdmin = is(reader, admins)
  const chief = is(reader, ['instructor']) ? orgUserId : null
  const causes = testCauses.map((cause) => sql`${sql.lit(cause)}, count(*) filter (where t.causes ? ${sql.lit(cause)})`)
  const within = ({ start, end }: Interval) => sql`t.taken_at >= ${start} and t.taken_at < ${end}`
  const groups = await readRows(
    db,
    sql<TestGroup>`
    with read as materialized (select c.id, c.name, (${isAdmin} or c.chief_instructor_id is not distinct from ${chief}::int
        and c.chief_instructor_id is not null) as sees_all
      from training_course c where c.organization_id = ${organizationId})
    select c.id as "courseId", c.name as course, x.id as "instructorOrgUserId", m.search_name as instructor, c.sees_all as "seesAll",
      count(*)::int as tests, count(*) filter (where t.is_first)::int as "firstAttempts",
      count(*) filter (where t.is_first and t.result = 'passed')::int as "firstPassed",
      count(*) filter (where t.first_result is not null)::int as "changedResults", json_build_object(${sql.join(causes)}) as causes
    from (select t.*, row_number() over (partition by t.enrollment_id order by t.taken_at, t.id) = 1 as is_first
      from training_test t
      where t.organization_id = ${organizationId} and t.kind = 'practical' and t.enrollment_id is not null) t
    join enrollment e on e.organization_id = t.organization_id and e.id = t.enrollment_id
    join read c on c.id = e.course_id
    left join endorsement d on d.organization_id = t.organization_id and d.id = t.endorsement_id
    cross join lateral (select coalesce(d.signed_by, e.instructor_id) as id) x
    left join membership m on m.organization_id = t.organization_id and m.id = x.id
    where case when c.sees_all then ${within(asked)} else ${within(usual)} end
    group by c.id, c.name, c.sees_all, x.id, m.search_name
    order by c.name, c.id, m.search_name, x.id`,
  )
  return testReport(groups, orgUserId)
}
