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
 * Creates another draft of a course's syllabus: empty, or a deep copy of any version of the organization.
 * Implements interface §Syllabus version: POST courses/{id}/versions.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such course
 * @throws Invalid when there is no version to copy from
 * @throws Conflict ALREADY_EXISTS when the course has the label, in upper or lower case
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
