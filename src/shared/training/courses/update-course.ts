import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mustHold } from '../grants/policy.ts'
import { lockCourse } from './course.access.ts'
import { mustBeRating, type NewCourse } from './create-course.ts'

/** The fields of a course that can change: all but its regulatory part. */
export type CourseChanges = Partial<Omit<NewCourse, 'regulatoryPart'>> & { archived?: boolean | undefined }

/**
 * Changes the given fields. A new fee applies to later enrollments; an archived course takes no new ones.
 * Implements interface §Training: PATCH /training/courses/{courseId}.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such course
 * @throws Invalid when there is no such rating
 */
export async function updateCourse(tx: Tx, actor: Actor, id: number, changes: CourseChanges): Promise<{ id: number }> {
  await mustHold(tx, actor, ['configureTraining'])
  const course = await lockCourse(tx, actor, id)
  mustBeRating(changes.ratingId ?? null)
  tx.em.assign(course, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  return { id }
}
