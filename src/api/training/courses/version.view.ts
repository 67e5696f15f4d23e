import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import { appendices } from '../../../shared/training/courses/device-ceilings.rules.ts'
import { regulatoryParts, requirementSources } from '../../../shared/training/courses/syllabus.rules.ts'
import type {
  LessonRow,
  RequirementRow,
  StageRow,
  TaskRow,
  VersionRow,
} from '../../../shared/training/courses/version.queries.ts'
import { versionStates } from '../../../shared/training/courses/version.states.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { lessonFields, taskFields } from '../../scheduling/reservations/planned-lesson.view.ts'
import { ClockName, DeciHours } from '../training.schemas.ts'

const stored = { createdAt: Instant, updatedAt: Instant }

export const Task = z
  .object({
    id: Id,
    ...taskFields,
    ...stored,
  })
  .meta({ id: 'SyllabusTask' })

export const Lesson = z
  .object({
    id: Id,
    lessonId: Id.describe('The same as `id`'),
    stageId: Id,
    name: lessonFields.name,
    position: z.int(),
    kind: lessonFields.kind,
    objectives: lessonFields.objectives,
    completionStandards: lessonFields.completionStandards,
    minFlightDeciHours: DeciHours.nullable(),
    minGroundDeciHours: DeciHours.nullable(),
    requiresSignoff: z.boolean(),
    requiresNotes: z.boolean(),
    isStageCheck: z.boolean(),
    credits: z.array(z.object({ requirementId: Id, clock: ClockName.nullable(), count: z.int().nullable() })),
    tasks: z.array(Task),
    ...stored,
  })
  .meta({ id: 'Lesson' })

export const Stage = z
  .object({
    id: Id,
    stageId: Id.describe('The same as `id`'),
    name: z.string(),
    objective: z.string().nullable(),
    position: z.int(),
    requiresStageCheck: z.boolean(),
    lessons: z.array(Lesson).describe('The lessons of the stage, by position'),
    ...stored,
  })
  .meta({ id: 'Stage' })

const DeviceCeilings = z.array(
  z
    .object({ deviceKinds: z.array(z.enum(deviceKinds).meta({ choices: 'DeviceKind' })), bps: z.int() })
    .meta({ id: 'DeviceCeiling' }),
)

export const Requirement = z
  .object({
    id: Id,
    requirementId: Id.describe('The same as `id`'),
    code: z.string(),
    label: z.string(),
    minDeciHours: DeciHours.nullable(),
    minCount: z.int().nullable(),
    source: z.enum(requirementSources).meta({ choices: 'RequirementSource' }),
    maxSimulatorBps: z.int().nullable(),
    maxTransferBps: z.int().nullable(),
    recencyCalendarMonths: z.int().nullable(),
    recencyDays: z.int().nullable(),
    deviceCeilings: DeviceCeilings,
    ...stored,
  })
  .meta({ id: 'Requirement' })

/** A version with its whole syllabus. */
export const Version = z
  .object({
    id: Id,
    course: z.object({
      id: Id,
      name: z.string(),
      regulatoryPart: z.enum(regulatoryParts),
    }),
    label: z.string(),
    state: z.enum(versionStates).meta({ choices: 'VersionState' }),
    publishedAt: Instant.nullable(),
    approvedAt: Instant.nullable(),
    approvalReference: z.string().nullable(),
    appendix: z
      .enum(appendices)
      .nullable()
      .describe('The appendix of 14 CFR Part 141 that the course is approved under; null: none'),
    graduationWithinDays: z.int(),
    deviceCeilings: DeviceCeilings.describe(
      'The ceilings on time in devices, as shares of the flight training that the course or the appendix requires, ' +
        'whichever is less',
    ),
    gradingScale: z.array(z.string()).describe('The codes of the grades, in display order'),
    gradeOptions: z.array(
      z.object({
        code: z.string(),
        label: z.string(),
        passing: z.boolean(),
      }),
    ),
    requirements: z.array(Requirement),
    stages: z.array(Stage).describe('The stages of the syllabus, by position'),
    ...stored,
  })
  .meta({ id: 'SyllabusVersion' })

export function versionView(row: VersionRow): z.input<typeof Version> {
  const { courseId, courseName, regulatoryPart, gradingScale, requirements, stages, ...version } = row
  return {
    ...version,
    course: { id: courseId, name: courseName, regulatoryPart },
    gradingScale: gradingScale.map(({ code }) => code),
    gradeOptions: gradingScale,
    requirements: requirements.map(requirementView),
    stages: stages.map(stageView),
  }
}

export function stageView({ lessons, ...stage }: StageRow): z.input<typeof Stage> {
  return { ...stage, stageId: stage.id, lessons: lessons.map(lessonView) }
}

export function lessonView(row: LessonRow): z.input<typeof Lesson> {
  const { minFlightTenths, minGroundTenths, tasks, ...lesson } = row
  return {
    ...lesson,
    lessonId: lesson.id,
    minFlightDeciHours: minFlightTenths,
    minGroundDeciHours: minGroundTenths,
    tasks: tasks.map(taskView),
  }
}

export function taskView(task: TaskRow): z.input<typeof Task> {
  return task
}

export function requirementView({ minTenths, ...requirement }: RequirementRow): z.input<typeof Requirement> {
  return { ...requirement, requirementId: requirement.id, minDeciHours: minTenths }
}
