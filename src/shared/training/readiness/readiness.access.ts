import { sql } from 'kysely'
import { isOwnStudent } from '../../identity/profiles/profile.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins, deskStaff, staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { type EnrollmentRow, findEnrollment } from '../enrollments/enrollment.queries.ts'
import { holds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import type { PrivateItem } from './readiness.types.ts'

/** What a reader sees of the readiness of a student: the items, or only the verdict and how many are open. */
export type ReadinessView = { items: false } | { items: true; withheld: ReadonlySet<PrivateItem> }

/**
 * Returns the enrollment and what the actor sees of its readiness. The student, the instructor of the enrollment, the chief instructor of
 * the course, instructors who teach the student now, admins and auditors see the items; other staff the verdict. To anybody else
 * the enrollment does not exist. Implements interface §28.2 and S101.
 */
export async function findReadableReadiness(
  db: Db,
  actor: Actor,
  id: number,
  now: Date,
): Promise<{ enrollment: EnrollmentRow; view: ReadinessView }> {
  const enrollment = await findEnrollment(db, actor.organizationId, id)
  const { student, instructor, chiefInstructor } = enrollment
  const isSelf = student.orgUserId === actor.orgUserId
  const isAdmin = is(actor, admins)
  const teaches = !isSelf && !isAdmin && (await isStudentOf(db, actor, student.orgUserId, now))
  const named =
    [instructor?.orgUserId, chiefInstructor?.orgUserId].includes(actor.orgUserId) && is(actor, ['instructor'])
  const seesItems = isSelf || isAdmin || teaches || named || (await holds(db, actor, ['auditor']))
  if (!seesItems && !is(actor, staff)) throw trainingErrors.noSuchEnrollment()
  if (!seesItems) return { enrollment, view: { items: false } }
  const withheld = new Set<PrivateItem>()
  // As profiles, documents and currencies are read.
  if (!isSelf && !isAdmin && !teaches) withheld.add('age')
  if (!isSelf && !is(actor, deskStaff)) withheld.add('identity')
  if (!isSelf && !is(actor, staff)) withheld.add('medical')
  return { enrollment, view: { items: true, withheld } }
}

async function isStudentOf(db: Db, actor: Actor, orgUserId: number, now: Date): Promise<boolean> {
  if (!is(actor, ['instructor'])) return false
  const [row] = await readRows(
    db,
    sql<{ own: boolean }>`select ${isOwnStudent(actor, now)} as own from membership m
      where m.organization_id = ${actor.organizationId} and m.id = ${orgUserId}`,
  )
  return row?.own ?? false
}
