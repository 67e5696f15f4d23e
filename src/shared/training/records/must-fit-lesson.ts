import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { type GradeOption, isOnScale } from '../courses/grading.rules.ts'
import { type SyllabusLesson, SyllabusTask } from '../courses/syllabus.entity.ts'
import type { TaskGrade } from './record.entity.ts'

/**
 * Checks that the grades are on the version's scale, and that each graded task is one of the lesson's, once.
 * @throws Invalid naming the field that does not fit
 */
export async function mustFitLesson(
  tx: Tx,
  { grade, taskGrades }: { grade?: string | null | undefined; taskGrades?: TaskGrade[] | undefined },
  scale: readonly GradeOption[],
  { organizationId, versionId, id: lessonId }: SyllabusLesson,
): Promise<void> {
  const codes = scale.map(({ code }) => code).join(', ')
  if (grade != null && !isOnScale(scale, grade)) throw new Invalid(`grade: must be one of ${codes}`)
  if (!taskGrades?.length) return
  const tasks = await tx.em.find(SyllabusTask, { organizationId, versionId, lessonId }, { fields: ['id'] })
  const seen = new Set<number>()
  for (const [index, { taskId, grade: of }] of taskGrades.entries()) {
    const path = `taskGrades.${index}`
    if (!tasks.some((task) => task.id === taskId)) throw new Invalid(`${path}.taskId: the lesson has no such task`)
    if (!isOnScale(scale, of)) throw new Invalid(`${path}.grade: must be one of ${codes}`)
    if (seen.has(taskId)) throw new Invalid(`${path}.taskId: the task is graded already`)
    seen.add(taskId)
  }
}
