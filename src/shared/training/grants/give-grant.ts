import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { trainingErrors } from '../training.errors.ts'
import { hasCourse, holdsGrant } from './grant.queries.ts'
import type { GrantKind } from './grants.rules.ts'

export interface NewGrant {
  orgUserId: number
  grant: GrantKind
  courseId: number | null
}

/**
 * Gives a member a training grant. `checkInstructor` is for one course; the others are for all courses.
 * Implements interface §Training: POST /training/grants.
 */
export async function giveGrant(tx: Tx, actor: Actor, input: NewGrant): Promise<{ id: number }> {
  const { organizationId } = actor
  const { orgUserId: membershipId, grant: kind, courseId } = input
  await assertIsMember(tx, actor, membershipId, 'orgUserId')
  if (kind === 'checkInstructor' && courseId === null) {
    throw trainingErrors.grantNeedsCourse()
  }
  if (kind !== 'checkInstructor' && courseId !== null) throw trainingErrors.grantForAllCourses({ kind })
  if (courseId !== null && !(await hasCourse(tx.db, organizationId, courseId))) {
    throw trainingErrors.unknownCourse({ field: 'courseId' })
  }
  if (await holdsGrant(tx.db, organizationId, { membershipId, kind, courseId })) {
    throw platformErrors.grantHeld()
  }
  const subject = { kind: 'member', id: membershipId } as const
  emit(tx, actor, { kind: 'grant.given', subject, after: { grant: kind, courseId } })
  return tx.db
    .insertInto('training_grant')
    .values({
      organization_id: organizationId,
      membership_id: membershipId,
      kind,
      course_id: courseId,
      granted_by: actor.orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Deletes a grant. Implements interface §Training: DELETE /training/grants/{grantId}. */
export async function withdrawGrant(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  const grant = await tx.db
    .deleteFrom('training_grant')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returning(['id', 'membership_id', 'kind', 'course_id'])
    .executeTakeFirst()
  if (!grant) throw trainingErrors.noSuchGrant()
  emit(tx, actor, {
    kind: 'grant.withdrawn',
    subject: { kind: 'member', id: grant.membership_id },
    before: { grant: grant.kind, courseId: grant.course_id },
  })
  return { id }
}
