import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { TrainingCourse } from '../courses.tables.ts'
import { trainingErrors } from '../training.errors.ts'

/** Returns a course and locks its row until the commit, for a change of the course or for a new version. */
export async function lockCourse(tx: Tx, { organizationId }: Actor, id: number): Promise<TrainingCourse> {
  const course = await tx.em.findOne(
    TrainingCourse,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!course) throw trainingErrors.noSuchCourse()
  return course
}

/** Returns the course of a version or an enrollment. */
export async function courseOf(
  tx: Tx,
  { organizationId, courseId: id }: { organizationId: number; courseId: number },
): Promise<TrainingCourse> {
  return tx.em.findOneOrFail(TrainingCourse, { organizationId, id })
}
