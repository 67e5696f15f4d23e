import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { SyllabusVersion } from '../courses.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { copySyllabus } from './copy-syllabus.ts'
import { lockCourse } from './course.access.ts'
import { defaultGradingScale } from './grading.rules.ts'
import { findLabels } from './syllabus.queries.ts'
import { findVersionToCopy } from './version.access.ts'

/**
 * Creates a draft version of a course's syllabus: an empty one, or a deep copy of any version of the organization.
 * Implements interface §Syllabus version: POST courses/{id}/versions.
 */
export async function createVersion(
  tx: Tx,
  actor: Actor,
  courseId: number,
  input: { label: string; copyFromVersionId: number | null },
): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['configureTraining'])
  const { organizationId } = actor
  await lockCourse(tx, actor, courseId)
  const source = await findVersionToCopy(tx, actor, input.copyFromVersionId)
  const labels = await findLabels(tx.db, organizationId, courseId)
  if (labels.some((label) => label.toLowerCase() === input.label.toLowerCase())) {
    throw trainingErrors.versionLabelGiven({ label: input.label })
  }
  const version = tx.em.create(SyllabusVersion, {
    organizationId,
    courseId,
    label: input.label,
    gradingScale: source?.gradingScale ?? [...defaultGradingScale],
    deviceCeilings: source?.deviceCeilings ?? [],
    appendix: source?.appendix ?? null,
    ...(source && { graduationWithinDays: source.graduationWithinDays }),
  })
  await tx.em.flush()
  if (source) await copySyllabus(tx, organizationId, { from: source.id, to: version.id })
  return { id: version.id }
}
