import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { type GradeOption, scaleProblem } from './grading.rules.ts'
import { lockVersion } from './lock-version.ts'

/**
 * Replaces the grading scale of a draft.
 * @throws Forbidden without the grant; NotFound; Conflict once published; Invalid for a scale that cannot be used.
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
