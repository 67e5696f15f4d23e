import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { trainingErrors } from '../training.errors.ts'
import { grantsGiven } from './grant.queries.ts'
import { type GrantKind, grantCatalog, impliedGrants, mayGrade } from './grants.rules.ts'

/** Returns whether the actor holds one of the grants, through a role or a stored grant. */
export async function holds(source: Source, actor: Actor, wanted: readonly GrantKind[]): Promise<boolean> {
  if (impliedGrants(actor.roles).some((kind) => wanted.includes(kind))) return true
  return (await grantsGiven(source, actor, wanted)).length > 0
}

/** Checks that the actor holds one of the grants. Admins hold all. */
export async function assertHolds(source: Source, actor: Actor, wanted: readonly GrantKind[]): Promise<void> {
  if (await holds(source, actor, wanted)) return
  const titles = grantCatalog.filter(({ grant }) => wanted.includes(grant)).map(({ title }) => `“${title}”`)
  throw trainingErrors.grantNeeded({ grants: titles.join(' or ') })
}

/** Checks that the actor is an instructor or admin. */
export function assertGrades(actor: Actor): void {
  if (!mayGrade(actor.roles)) throw platformErrors.notAllowed()
}

/** Checks that the actor is not the student: nobody grades or signs their own training. */
export function assertIsNotOneself(actor: Actor, studentId: number): void {
  if (actor.orgUserId === studentId) {
    throw trainingErrors.ownTraining()
  }
}

/** Returns whether the actor may sign the stage checks of a course. */
export async function isCheckInstructor(source: Source, actor: Actor, courseId: number): Promise<boolean> {
  if (impliedGrants(actor.roles).includes('checkInstructor')) return true
  const grants = await grantsGiven(source, actor, ['checkInstructor'])
  return grants.some((grant) => grant.course_id === courseId)
}

/**
 * Returns whether the actor may list every student's enrollments: staff, `manageEnrollment` and `auditor`.
 * Implements interface §Training: GET /training/enrollments.
 */
export async function seesAllEnrollments(source: Source, actor: Actor): Promise<boolean> {
  return is(actor, staff) || (await holds(source, actor, ['manageEnrollment', 'auditor']))
}

/**
 * Returns whether the actor may read every student's training records: instructors, admins, `manageEnrollment` and
 * `auditor`.
 * Implements interface §Training: GET /training/enrollments/{enrollmentId}.
 */
export async function readsAllRecords(source: Source, actor: Actor): Promise<boolean> {
  return mayGrade(actor.roles) || (await holds(source, actor, ['manageEnrollment', 'auditor']))
}

/**
 * Returns whether the actor may read every member's endorsements: instructors, admins and `auditor`.
 * Implements interface §Training: GET /training/endorsements.
 */
export async function readsAllEndorsements(source: Source, actor: Actor): Promise<boolean> {
  return mayGrade(actor.roles) || (await holds(source, actor, ['auditor']))
}
