import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { findLessonToEdit } from './put-lesson.ts'
import { SyllabusTask } from './syllabus.entity.ts'
import { lockVersion } from './version.access.ts'

export interface TaskInput {
  name: string
  acsCode: string | null
  standard: string | null
}

/**
 * Replaces the tasks of a draft's lesson, in the order given.
 * Implements interface §Training: PUT tasks.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version or lesson
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 */
export async function putTasks(
  tx: Tx,
  actor: Actor,
  { versionId, lessonId }: { versionId: number; lessonId: number },
  tasks: TaskInput[],
): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  await findLessonToEdit(tx, actor, versionId, lessonId)
  const key = { organizationId: actor.organizationId, versionId, lessonId }
  await tx.em.nativeDelete(SyllabusTask, key)
  for (const [position, task] of tasks.entries()) tx.em.create(SyllabusTask, { ...key, position, ...task })
  return { id: lessonId }
}
