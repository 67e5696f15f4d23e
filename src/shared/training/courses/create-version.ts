import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { mustHold } from '../grants/policy.ts'
import { copySyllabus } from './copy-syllabus.ts'
import { TrainingCourse } from './course.entity.ts'
import { defaultGradingScale } from './grading.rules.ts'
import { SyllabusVersion } from './syllabus.entity.ts'

/**
 * Makes another draft of a course's syllabus: empty, or a deep copy of a version of this or another course, which
 * shares nothing with its source.
 * @throws Forbidden without the grant; NotFound; Invalid for a source that is not there; Conflict for a label in use.
 */
export async function createVersion(
  tx: Tx,
  actor: Actor,
  courseId: number,
  input: { label: string; copyFromVersionId: number | null },
): Promise<{ id: number }> {
  await mustHold(tx, actor, ['configureTraining'])
  const { organizationId } = actor
  const course = await tx.em.findOne(
    TrainingCourse,
    { id: courseId, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!course) throw new NotFound('There is no such course.')
  const source =
    input.copyFromVersionId === null
      ? null
      : await tx.em.findOne(SyllabusVersion, { id: input.copyFromVersionId, organizationId })
  if (input.copyFromVersionId !== null && !source) {
    throw new Invalid('copyFromVersionId: there is no such version')
  }
  const labels = await tx.em.find(SyllabusVersion, { organizationId, courseId }, { fields: ['label'] })
  if (labels.some(({ label }) => label.toLowerCase() === input.label.toLowerCase())) {
    throw new Conflict(`The course has a version ${input.label} already.`, 'ALREADY_EXISTS')
  }
  const version = tx.em.create(SyllabusVersion, {
    organizationId,
    courseId,
    label: input.label,
    gradingScale: source?.gradingScale ?? [...defaultGradingScale],
  })
  await tx.em.flush()
  if (source) await copySyllabus(tx, organizationId, { from: source.id, to: version.id })
  return { id: version.id }
}
