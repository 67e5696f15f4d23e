import { sql } from 'kysely'
import { TEST_NOTICE_DAYS } from '../../communication/notifications/expiry-notices.rules.ts'
import { admins, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { readinessAt } from '../../training/readiness/judged-at.rules.ts'
import type { JudgedScope } from '../../training/readiness/judged-enrollment.types.ts'
import { itemInWords, openItems } from '../../training/readiness/open-items.rules.ts'
import { awaitsTest } from '../../training/readiness/planned-tests.queries.ts'
import type { ItemOwner, ReadinessItem } from '../../training/readiness/readiness.types.ts'
import { findReadiness } from '../../training/readiness/readiness-facts.queries.ts'
import type { TodoScope } from './todo.types.ts'

/** The most practical tests that are judged for one list, the nearest first. */
const MOST_TESTS = 100
const DAY_MS = 86_400_000

interface PlannedRow {
  id: number
  plannedTestAt: Date
  plannedApplicationAt: Date | null
  student: string
  /** For whose items the member answers. */
  owners: ItemOwner[]
}

/**
 * Returns what a member has to do before practical tests of the next 21 days: a student the own items, the instructor of an enrollment those of
 * the instructor, and admins those of the school, and of an instructor who is not named. Implements interface §28.4.
 */
export async function findPreparations(
  db: Db,
  scope: JudgedScope,
  member: { id: number } & RoleFlags,
): Promise<TodoScope['preparations']> {
  const { organizationId, now } = scope
  const ahead = new Date(now.getTime() + TEST_NOTICE_DAYS[0] * DAY_MS)
  const runsSchool = hasRole(member, admins)
  const planned = await readRows(
    db,
    sql<PlannedRow>`
    select e.id, e.planned_test_at as "plannedTestAt", e.planned_application_at as "plannedApplicationAt", m.search_name as student, o.owners
    from enrollment e
    join membership m on m.organization_id = e.organization_id and m.id = e.membership_id
    cross join lateral (select array_remove(array[case when e.membership_id = ${member.id} then 'student' end,
      case when e.instructor_id = ${member.id} or ${runsSchool} and e.instructor_id is null then 'instructor' end,
      case when ${runsSchool} then 'school' end], null) as owners) o
    where e.organization_id = ${organizationId} and ${awaitsTest('e', now)} and e.planned_test_at <= ${ahead}
      and o.owners <> '{}'
    order by e.planned_test_at, e.id limit ${MOST_TESTS}`,
  )
  if (planned.length === 0) return []
  const readiness = await findReadiness(
    db,
    scope,
    planned.map((row) => ({ id: row.id, ...readinessAt(row, undefined, now) })),
  )
  return planned.flatMap(({ id, plannedTestAt, student, owners }) =>
    openItems(readiness.get(id)?.items ?? [])
      .filter(({ owner }) => owners.includes(owner))
      .map((item) => ({
        subjectId: id,
        title: `${itemInWords(item)} (${student})`,
        since: new Date(plannedTestAt.getTime() - TEST_NOTICE_DAYS[0] * DAY_MS),
        dueAt: item.dueAt,
        ...doneBy(item, id),
      })),
  )
}

/** The requests that settle an item; for other actions the readiness says more. */
const requests: Partial<Record<NonNullable<ReadinessItem['needs']>['action'], string>> = {
  sign_endorsement: '/training/endorsements',
  record_test: '/training/tests',
  add_document: '/documents',
  fly_lessons: '/reservations',
  book_aircraft: '/reservations',
  add_maintenance_item: '/maintenance/reminders',
}

function doneBy({ needs }: ReadinessItem, enrollmentId: number) {
  const path = needs && requests[needs.action]
  if (path) return { method: 'POST', path } as const
  return { method: 'GET', path: `/training/enrollments/${enrollmentId}/readiness` } as const
}
