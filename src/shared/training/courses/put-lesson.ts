import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import type { LessonCredit } from '../records/credit.rules.ts'
import { creditProblem } from './lesson-credit.rules.ts'
import { SyllabusCredit, SyllabusLesson, SyllabusRequirement, SyllabusStage } from './syllabus.entity.ts'
import type { LessonKind } from './syllabus.rules.ts'
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
  minFlightDeciHours: number | null
  minGroundDeciHours: number | null
  requiresSignoff: boolean
  requiresNotes: boolean
  isStageCheck: boolean
  /** Null keeps the lesson's credits. */
  credits: LessonCredit[] | null
}

/**
 * Adds a lesson to a draft, or replaces a lesson's fields. Its tasks stay.
 * Implements interface §Training: PUT lessons.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 * @throws Invalid when the lesson, stage or requirement is of another version, or a credit uses the wrong measure
 */
export async function putLesson(tx: Tx, actor: Actor, versionId: number, input: LessonInput): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const { lessonId, credits, minFlightDeciHours, minGroundDeciHours, ...rest } = input
  const key = { organizationId: actor.organizationId, versionId }
  const fields = { ...rest, minFlightTenths: minFlightDeciHours, minGroundTenths: minGroundDeciHours }
  if (!(await tx.em.findOne(SyllabusStage, { ...key, id: input.stageId }))) {
    throw new Invalid('stageId: there is no such stage in this version')
  }
  const requirements = await tx.em.find(SyllabusRequirement, key)
  const problem = creditProblem(credits ?? [], requirements)
  if (problem) throw new Invalid(problem)
  const stored = lessonId === null ? null : await tx.em.findOne(SyllabusLesson, { ...key, id: lessonId })
  if (lessonId !== null && !stored) throw new Invalid('lessonId: there is no such lesson in this version')
  const lesson = stored ? tx.em.assign(stored, fields) : tx.em.create(SyllabusLesson, { ...key, ...fields })
  await tx.em.flush()
  if (credits) {
    await tx.em.nativeDelete(SyllabusCredit, { ...key, lessonId: lesson.id })
    for (const credit of credits) tx.em.create(SyllabusCredit, { ...key, lessonId: lesson.id, ...credit })
  }
  return { id: lesson.id }
}

/**
 * Deletes a lesson of a draft, with its tasks and credits.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version or lesson
 * @throws Conflict VERSION_NOT_DRAFT when the version is published
 */
export async function deleteLesson(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  tx.em.remove(await findLessonToEdit(tx, actor, versionId, id))
  return { id }
}

/**
 * Loads a lesson of a version.
 * @throws NotFound when the version has no such lesson
 */
export async function findLessonToEdit(
  tx: Tx,
  { organizationId }: Actor,
  versionId: number,
  id: number,
): Promise<SyllabusLesson> {
  const lesson = await tx.em.findOne(SyllabusLesson, { organizationId, versionId, id })
  if (!lesson) throw new NotFound('There is no such lesson in this version.')
  return lesson
}
