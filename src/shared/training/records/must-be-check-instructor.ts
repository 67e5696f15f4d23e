import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import type { SyllabusLesson } from '../courses/syllabus.entity.ts'
import type { Enrollment } from '../enrollments/enrollment.entity.ts'
import { isCheckInstructor } from '../grants/policy.ts'

/**
 * Checks that the actor may sign a stage check: a check instructor of the course who did not train the student for it.
 * The student's instructor trained them, and so did the signer of another lesson of the stage.
 * @throws Forbidden CHECK_INSTRUCTOR_NEEDED when the actor is no check instructor of the course
 * @throws Forbidden OWN_STUDENT when the actor trained the student
 */
export async function mustBeCheckInstructor(
  tx: Tx,
  actor: Actor,
  enrollment: Enrollment,
  lesson: SyllabusLesson,
): Promise<void> {
  if (!(await isCheckInstructor(tx, actor, enrollment.courseId))) {
    throw new Forbidden('A stage check is signed by a check instructor of the course.', 'CHECK_INSTRUCTOR_NEEDED')
  }
  if (enrollment.instructorId === actor.orgUserId || (await trainedStage(tx, actor, enrollment, lesson))) {
    throw new Forbidden('A stage check is not signed by the student’s own instructor.', 'OWN_STUDENT')
  }
}

async function trainedStage(
  tx: Tx,
  actor: Actor,
  enrollment: Enrollment,
  { stageId, id }: SyllabusLesson,
): Promise<boolean> {
  const signed = await tx.db
    .selectFrom('training_record as r')
    .innerJoin('syllabus_lesson as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.lesson_id'),
    )
    .select('r.id')
    .where('r.organization_id', '=', actor.organizationId)
    .where('r.enrollment_id', '=', enrollment.id)
    .where('r.signed_by', '=', actor.orgUserId)
    .where('l.stage_id', '=', stageId)
    .where('l.id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return signed !== undefined
}
