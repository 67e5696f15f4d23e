import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { trainingErrors } from '../training.errors.ts'
import { hasLesson } from './syllabus.queries.ts'
import { lockVersion } from './version.access.ts'

export interface TaskInput {
  name: string
  acsCode: string | null
  standard: string | null
}

/**
 * Replaces the tasks of a draft's lesson, in the order given.
 * Implements interface §Training: PUT tasks.
 */
export async function replaceTasks(
  tx: Tx,
  actor: Actor,
  { versionId, lessonId }: { versionId: number; lessonId: number },
  tasks: TaskInput[],
): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const { organizationId } = actor
  if (!(await hasLesson(tx.db, { organizationId, versionId }, lessonId))) {
    throw trainingErrors.noSuchLesson()
  }
  await tx.db
    .deleteFrom('syllabus_task')
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .where('lesson_id', '=', lessonId)
    .execute()
  const key = { organization_id: organizationId, version_id: versionId, lesson_id: lessonId }
  const rows = tasks.map(({ name, acsCode, standard }, position) => {
    return { ...key, position, name, acs_code: acsCode, standard }
  })
  if (rows.length > 0) await tx.db.insertInto('syllabus_task').values(rows).execute()
  return { id: lessonId }
}
