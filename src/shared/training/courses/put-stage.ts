import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { SyllabusStage } from './syllabus.entity.ts'
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
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 * @throws Invalid when the stage is of another version
 */
export async function putStage(tx: Tx, actor: Actor, versionId: number, input: StageInput): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const { stageId, ...fields } = input
  const key = { organizationId: actor.organizationId, versionId }
  if (stageId === null) {
    const stage = tx.em.create(SyllabusStage, { ...key, ...fields })
    await tx.em.flush()
    return { id: stage.id }
  }
  const stage = await tx.em.findOne(SyllabusStage, { ...key, id: stageId })
  if (!stage) throw new Invalid('stageId: there is no such stage in this version')
  tx.em.assign(stage, fields)
  return { id: stageId }
}

/**
 * Deletes a stage of a draft, with its lessons.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version or stage
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 */
export async function deleteStage(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const stage = await tx.em.findOne(SyllabusStage, { organizationId: actor.organizationId, versionId, id })
  if (!stage) throw new NotFound('There is no such stage in this version.')
  tx.em.remove(stage)
  return { id }
}
