import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { findRating } from '../../qualification/ratings.ts'
import { mustHold } from '../grants/policy.ts'
import { TrainingCourse } from './course.entity.ts'
import { defaultGradingScale } from './grading.rules.ts'
import { SyllabusVersion } from './syllabus.entity.ts'
import type { certificates, RegulatoryPart } from './syllabus.rules.ts'

export interface NewCourse {
  name: string
  description: string | null
  enrollmentFeeCents: number | null
  enrollmentFeeLabel: string | null
  regulatoryPart: RegulatoryPart
  certificateSought: (typeof certificates)[number] | null
  ratingId: number | null
  targetDays: number | null
}

/** What the first version of a course is called. */
const FIRST_LABEL = 'Rev A'

/**
 * Makes a course with an empty draft of its syllabus, Rev A.
 * @throws Forbidden without the grant; Invalid for a rating that there is not.
 */
export async function createCourse(tx: Tx, actor: Actor, input: NewCourse): Promise<{ id: number; versionId: number }> {
  await mustHold(tx, actor, ['configureTraining'])
  mustBeRating(input.ratingId)
  const { organizationId } = actor
  const course = tx.em.create(TrainingCourse, { organizationId, ...input })
  await tx.em.flush()
  const version = tx.em.create(SyllabusVersion, {
    organizationId,
    courseId: course.id,
    label: FIRST_LABEL,
    gradingScale: [...defaultGradingScale],
  })
  await tx.em.flush()
  return { id: course.id, versionId: version.id }
}

/** @throws Invalid for an id that is no rating's */
export function mustBeRating(ratingId: number | null): void {
  if (ratingId !== null && !findRating(ratingId)) throw new Invalid('ratingId: there is no such rating')
}
