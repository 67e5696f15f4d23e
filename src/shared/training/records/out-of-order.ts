import type { Tx } from '../../platform/db/transaction.ts'
import { TrainingCourse } from '../courses/course.entity.ts'
import type { SyllabusVersion } from '../courses/syllabus.entity.ts'
import type { Enrollment } from '../enrollments/enrollment.entity.ts'
import { findLessonsInOrder, findProgress } from './progress.queries.ts'
import { outOfOrderWarning, skippedBefore } from './progress.rules.ts'

/** Returns the warning for a Part 141 lesson that is recorded out of order; null otherwise. */
export async function warnOutOfOrder(
  tx: Tx,
  { organizationId, courseId, id }: Enrollment,
  version: SyllabusVersion,
  lessonId: number,
): Promise<string | null> {
  const course = await tx.em.findOneOrFail(TrainingCourse, { id: courseId, organizationId })
  if (course.regulatoryPart !== 'part141') return null
  const records = await findProgress(tx, organizationId, id)
  const lessons = await findLessonsInOrder(tx, organizationId, version.id)
  return outOfOrderWarning(skippedBefore(lessonId, lessons, records, version.gradingScale))
}
