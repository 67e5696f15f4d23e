import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { trainingErrors } from '../training.errors.ts'
import { findMeasures, hasStage, type VersionKey } from './syllabus.queries.ts'
import { creditProblem, type LessonCredit, type LessonKind } from './syllabus.rules.ts'
import { lockVersion } from './version.access.ts'

export interface LessonInput {
  lessonId: number | null
  stageId: number
  name: string
  position: number
  kind: LessonKind
  objectives: string | null
  completionStandards: string | null
  /** Tenths of hours. */
  minFlightDeciHours: Tenths | null
  minGroundDeciHours: Tenths | null
  requiresSignoff: boolean
  requiresNotes: boolean
  isStageCheck: boolean
  /** Null keeps the lesson's credits. */
  credits: LessonCredit[] | null
}

/**
 * Adds a lesson to a draft, or replaces a lesson's fields. The tasks of the lesson do not change.
 * Implements interface §Training: PUT lessons.
 */
export async function writeLesson(
  tx: Tx,
  actor: Actor,
  versionId: number,
  input: LessonInput,
): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const { lessonId, credits } = input
  const key = { organizationId: actor.organizationId, versionId }
  if (!(await hasStage(tx.db, key, input.stageId))) throw trainingErrors.unknownStage()
  const problem = creditProblem(credits ?? [], credits?.length ? await findMeasures(tx.db, key) : [])
  if (problem) throw new Invalid(problem)
  const id = lessonId === null ? await insertLesson(tx, key, input) : await updateLesson(tx, key, lessonId, input)
  if (credits) await replaceCredits(tx, key, id, credits)
  return { id }
}

/** Deletes a lesson of a draft, with its tasks and credits. Implements interface §Training: DELETE lessons. */
export async function deleteLesson(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const lesson = await tx.db
    .deleteFrom('syllabus_lesson')
    .where('organization_id', '=', actor.organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!lesson) throw trainingErrors.noSuchLesson()
  return lesson
}

function toRow(input: LessonInput) {
  return {
    stage_id: input.stageId,
    name: input.name,
    position: input.position,
    kind: input.kind,
    objectives: input.objectives,
    completion_standards: input.completionStandards,
    min_flight_tenths: input.minFlightDeciHours,
    min_ground_tenths: input.minGroundDeciHours,
    requires_signoff: input.requiresSignoff,
    requires_notes: input.requiresNotes,
    is_stage_check: input.isStageCheck,
  }
}

async function insertLesson(tx: Tx, { organizationId, versionId }: VersionKey, input: LessonInput): Promise<number> {
  const { id } = await tx.db
    .insertInto('syllabus_lesson')
    .values({ organization_id: organizationId, version_id: versionId, ...toRow(input) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function updateLesson(
  tx: Tx,
  { organizationId, versionId }: VersionKey,
  id: number,
  input: LessonInput,
): Promise<number> {
  const stored = await tx.db
    .updateTable('syllabus_lesson')
    .set(toRow(input))
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!stored) throw trainingErrors.unknownLesson()
  return stored.id
}

async function replaceCredits(
  tx: Tx,
  { organizationId, versionId }: VersionKey,
  lessonId: number,
  credits: readonly LessonCredit[],
): Promise<void> {
  await tx.db
    .deleteFrom('syllabus_credit')
    .where('organization_id', '=', organizationId)
    .where('version_id', '=', versionId)
    .where('lesson_id', '=', lessonId)
    .execute()
  const key = { organization_id: organizationId, version_id: versionId, lesson_id: lessonId }
  const rows = credits.map(({ requirementId, clock, count }) => {
    return { ...key, requirement_id: requirementId, clock, count }
  })
  if (rows.length > 0) await tx.db.insertInto('syllabus_credit').values(rows).execute()
}
