import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { createCourse } from '../courses/create-course.ts'
import {
  SyllabusCredit,
  SyllabusLesson,
  SyllabusRequirement,
  SyllabusStage,
  SyllabusTask,
} from '../courses/syllabus.entity.ts'
import { mustHold } from '../grants/policy.ts'
import { acsTasks } from './acs-tasks.ts'
import type { CreditsTemplate, LessonTemplate, SyllabusTemplate } from './syllabus-template.ts'
import { syllabusTemplates } from './syllabus-templates.ts'

/** The transfer ceiling in basis points. Under Part 61 all logged time counts, wherever it was flown. */
const ALL_OF_IT = 10_000

/**
 * Creates a Part 61 course with a draft syllabus from a template.
 * Implements interface §Training: POST /training/templates/{templateKey}.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such template
 * @throws Invalid when there is no such rating
 */
export async function buildCourse(
  tx: Tx,
  actor: Actor,
  key: string,
  given: { name: string | null; ratingId: number | null },
): Promise<{ id: number }> {
  await mustHold(tx, actor, ['configureTraining'])
  const template = syllabusTemplates.find((one) => one.key === key)
  if (!template) throw new NotFound('There is no such template.')
  const course = await createCourse(tx, actor, {
    name: given.name ?? template.name,
    description: template.description,
    enrollmentFeeCents: null,
    enrollmentFeeLabel: null,
    regulatoryPart: 'part61',
    certificateSought: template.certificateSought,
    ratingId: given.ratingId ?? template.ratingId,
    targetDays: null,
  })
  const part = { organizationId: actor.organizationId, versionId: course.versionId }
  const requirements = await addRequirements(tx, part, template)
  for (const [position, { name, objective, lessons }] of template.stages.entries()) {
    const requiresStageCheck = lessons.some((lesson) => lesson.stageCheck)
    const stage = tx.em.create(SyllabusStage, { ...part, name, objective, position, requiresStageCheck })
    await tx.em.flush()
    await addLessons(tx, { ...part, stageId: stage.id }, lessons, requirements)
  }
  return { id: course.id }
}

type Part = { organizationId: number; versionId: number }

async function addRequirements(tx: Tx, part: Part, { requirements }: SyllabusTemplate): Promise<Map<string, number>> {
  const rows = requirements.map(({ code, label, deciHours, count, simulatorBps, months }) =>
    tx.em.create(SyllabusRequirement, {
      ...part,
      code,
      label,
      minTenths: deciHours ?? null,
      minCount: count ?? null,
      source: 'part61',
      maxSimulatorBps: simulatorBps ?? null,
      maxTransferBps: ALL_OF_IT,
      recencyCalendarMonths: months ?? null,
    }),
  )
  await tx.em.flush()
  return new Map(rows.map(({ code, id }) => [code, id]))
}

async function addLessons(
  tx: Tx,
  { stageId, ...part }: Part & { stageId: number },
  lessons: readonly LessonTemplate[],
  requirements: Map<string, number>,
): Promise<void> {
  const rows = lessons.map((lesson, position) =>
    tx.em.create(SyllabusLesson, {
      ...part,
      stageId,
      name: lesson.name,
      position,
      kind: lesson.kind,
      objectives: lesson.objectives,
      completionStandards: lesson.standards,
      minFlightTenths: lesson.flight ?? null,
      minGroundTenths: lesson.ground ?? null,
      isStageCheck: lesson.stageCheck ?? false,
    }),
  )
  await tx.em.flush()
  for (const [index, { tasks, credits = {} }] of lessons.entries()) {
    const lessonId = rows[index]?.id ?? 0
    addTasks(tx, { ...part, lessonId }, tasks)
    addCredits(tx, { ...part, lessonId }, credits, requirements)
  }
  await tx.em.flush()
}

function addTasks(tx: Tx, of: Part & { lessonId: number }, tasks: LessonTemplate['tasks']): void {
  for (const [position, task] of tasks.entries()) {
    const known =
      typeof task === 'string' ? { name: acsTasks[task], acsCode: task } : { name: task.name, acsCode: null }
    tx.em.create(SyllabusTask, { ...of, position, ...known, standard: null })
  }
}

function addCredits(
  tx: Tx,
  of: Part & { lessonId: number },
  credits: CreditsTemplate,
  requirements: Map<string, number>,
): void {
  for (const [code, amount] of Object.entries(credits)) {
    tx.em.create(SyllabusCredit, {
      ...of,
      requirementId: requirements.get(code) ?? 0,
      clock: typeof amount === 'string' ? amount : null,
      count: typeof amount === 'number' ? amount : null,
    })
  }
}
