import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { type GradeOption, scaleProblem } from './grading.rules.ts'
import { lockVersion } from './version.access.ts'

/**
 * Replaces the grading scale of a draft.
 * Implements interface §Training: PUT gradingScale.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 * @throws Invalid when no grade passes, or two share a code or label
 */
export async function putGradingScale(
  tx: Tx,
  actor: Actor,
  versionId: number,
  scale: GradeOption[],
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, versionId, 'edit')
  const problem = scaleProblem(scale)
  if (problem) throw new Invalid(problem)
  version.gradingScale = scale
  return { id: version.id }
}
