import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { mustHold } from '../grants/policy.ts'
import { TrainingCourse } from './course.entity.ts'
import { mustBeRating, type NewCourse } from './create-course.ts'

/** What of a course can change: everything but the part of the regulations that it runs under. */
export type CourseChanges = Partial<Omit<NewCourse, 'regulatoryPart'>> & { archived?: boolean | undefined }

/**
 * Changes what is given. A new fee counts for enrolments from now on. An archived course takes no new students.
 * @throws Forbidden without the grant; NotFound; Invalid for a rating that there is not.
 */
export async function updateCourse(tx: Tx, actor: Actor, id: number, changes: CourseChanges): Promise<{ id: number }> {
  await mustHold(tx, actor, ['configureTraining'])
  const course = await tx.em.findOne(TrainingCourse, { id, organizationId: actor.organizationId })
  if (!course) throw new NotFound('There is no such course.')
  mustBeRating(changes.ratingId ?? null)
  tx.em.assign(course, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  return { id }
}
