import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { type GradeOption, scaleProblem } from './grading.rules.ts'
import { lockVersion } from './version.access.ts'

/**
 * Replaces the grading scale of a draft.
 * Implements interface §Training: PUT gradingScale.
 */
export async function replaceGradingScale(
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
