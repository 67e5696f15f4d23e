import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { trainingErrors } from '../training.errors.ts'
import { lockVersion } from './version.access.ts'

export interface StageInput {
  stageId: number | null
  name: string
  objective: string | null
  position: number
  requiresStageCheck: boolean
}

/**
 * Adds a stage to a draft, or replaces a stage's fields.
 * Implements interface §Training: PUT stages.
 */
export async function writeStage(tx: Tx, actor: Actor, versionId: number, input: StageInput): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const { stageId, requiresStageCheck, ...fields } = input
  const row = { ...fields, requires_stage_check: requiresStageCheck }
  if (stageId === null) {
    return tx.db
      .insertInto('syllabus_stage')
      .values({ organization_id: actor.organizationId, version_id: versionId, ...row })
      .returning('id')
      .executeTakeFirstOrThrow()
  }
  const stored = await tx.db
    .updateTable('syllabus_stage')
    .set(row)
    .where('organization_id', '=', actor.organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', stageId)
    .returning('id')
    .executeTakeFirst()
  if (!stored) throw trainingErrors.unknownStage()
  return stored
}

/** Deletes a stage of a draft, with its lessons. Implements interface §Training: DELETE stages. */
export async function deleteStage(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const stage = await tx.db
    .deleteFrom('syllabus_stage')
    .where('organization_id', '=', actor.organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!stage) throw trainingErrors.noSuchStage()
  return stage
}
