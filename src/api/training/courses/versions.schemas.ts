import { z } from 'zod'
import { deviceKinds } from '../../../shared/fleet/resources/resource.rules.ts'
import { appendices } from '../../../shared/training/courses/device-ceilings.rules.ts'
import { lessonKinds, requirementSources } from '../../../shared/training/courses/syllabus.rules.ts'
import { distinct, Id, InstantInput, name, PathId, text } from '../../http/schemas.ts'
import { BpsInput, ClockName, CountInput, DeciHoursInput, PositionInput, VersionParams } from '../training.schemas.ts'

export const StageParams = VersionParams.extend({ stageId: PathId })
export const LessonParams = VersionParams.extend({ lessonId: PathId })
export const RequirementParams = VersionParams.extend({ requirementId: PathId })

const Words = text(5000).trim().nullable().default(null)

export const GradingScaleBody = z.object({
  scale: z
    .array(
      z
        .object({
          code: name(20),
          label: name(100).optional().describe('Default: the code'),
          passing: z.boolean().default(false),
        })
        .transform(({ code, label = code, passing }) => ({ code, label, passing })),
    )
    .min(1)
    .max(30)
    .describe('The grades in display order; at least one is passing'),
})

export const StageBody = z.object({
  stageId: Id.nullable().default(null).describe('The stage to change; null: a new one'),
  name: name(200),
  objective: Words,
  position: PositionInput,
  requiresStageCheck: z.boolean().default(false),
})

const Credit = z
  .object({
    requirementId: Id,
    clock: ClockName.nullable()
      .default(null)
      .describe(
        'The clock of the record whose reading is posted, in tenths of an hour. For landings, full stops, night ' +
          'takeoffs and approaches it is a count. `instrument` is actual plus simulated instrument time',
      ),
    count: CountInput.min(1).nullable().default(null).describe('A fixed count to post, in place of `clock`'),
  })
  .describe('One credit to a requirement, by either `clock` or `count`')

export const LessonBody = z.object({
  lessonId: Id.nullable().default(null).describe('The lesson to change; null: a new one'),
  stageId: Id,
  name: name(200),
  position: PositionInput,
  kind: z.enum(lessonKinds),
  objectives: Words,
  completionStandards: Words,
  minFlightDeciHours: DeciHoursInput.nullable()
    .default(null)
    .describe('The minimum flight time of the lesson; null: none'),
  minGroundDeciHours: DeciHoursInput.nullable()
    .default(null)
    .describe('The minimum ground time of the lesson; null: none'),
  requiresSignoff: z.boolean().default(true),
  requiresNotes: z
    .boolean()
    .default(false)
    .describe('Whether a record of the lesson needs notes before it can be signed'),
  isStageCheck: z.boolean().default(false),
  credits: z
    .array(Credit)
    .max(50)
    .nullable()
    .default(null)
    .describe(
      'The credit that signing a record of the lesson posts, to any number of requirements; null: the lesson keeps ' +
        'its credits',
    ),
})

export const TasksBody = z.object({
  tasks: z
    .array(
      z.object({
        name: name(300),
        acsCode: name(40)
          .nullable()
          .default(null)
          .describe('The code of the task in the Airman Certification Standards'),
        standard: Words,
      }),
    )
    .max(200)
    .describe('All tasks of the lesson, in order'),
})

const DeviceCeilings = z
  .array(
    z
      .object({ deviceKinds: z.array(z.enum(deviceKinds)).min(1).max(4).transform(distinct), bps: BpsInput })
      .meta({ id: 'DeviceCeiling' }),
  )
  .max(10)

export const RequirementBody = z.object({
  requirementId: Id.nullable().default(null).describe('The requirement to change; null: a new one'),
  code: name(60).describe('A stable key, unique in the version'),
  label: name(200),
  minDeciHours: DeciHoursInput.min(1)
    .nullable()
    .default(null)
    .describe('The required time; null when `minCount` is given'),
  minCount: CountInput.min(1).nullable().default(null),
  source: z
    .enum(requirementSources)
    .nullable()
    .default(null)
    .describe(
      'Where the requirement comes from; null: the part that the course runs under. `school` never blocks ' +
        'graduation',
    ),
  maxSimulatorBps: BpsInput.nullable()
    .default(null)
    .describe('The largest share of the minimum that simulator time may count for; null: no ceiling'),
  maxTransferBps: BpsInput.nullable()
    .default(null)
    .describe(
      'The largest share of the minimum that transferred credit may count for, both kinds together. null: 5000 for ' +
        '`transfer_141` and 2500 for `transfer_61`, each kind separately',
    ),
  deviceCeilings: DeviceCeilings.default([]).describe(
    'The largest shares of the minimum that time in some kinds of device may count for, besides `maxSimulatorBps` ' +
      'for all kinds (14 CFR 61.65(i), (j))',
  ),
  recencyCalendarMonths: z
    .int()
    .min(1)
    .max(1200)
    .nullable()
    .default(null)
    .describe(
      'The recency window: training counts until the end of this many calendar months after it; null: no such ' +
        'window',
    ),
  recencyDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .default(null)
    .describe(
      'The recency window in local days, in place of `recencyCalendarMonths`, such as the 60 days of 14 CFR 141 ' +
        'Appendix B; null: no such window',
    ),
})

export const DeviceCeilingsBody = z.object({
  appendix: z
    .enum(appendices)
    .nullable()
    .default(null)
    .describe(
      'The appendix of 14 CFR Part 141 that the course is approved under; null: none. With an appendix, students ' +
        'must pass an end-of-course test before they graduate',
    ),
  deviceCeilings: DeviceCeilings.optional().describe(
    'The ceilings, as shares of the flight training that the course or the appendix requires, whichever is less. ' +
      'Default: the ceilings of the appendix, or none without one',
  ),
})

export const PublishBody = z
  .object({
    approvedAt: InstantInput.nullable().default(null),
    approvalReference: name(200).nullable().default(null),
    graduationWithinDays: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('Days in which graduates can take the test by their certificate (14 CFR 61.71(a))'),
  })
  .default({ approvedAt: null, approvalReference: null })

export const RetireBody = z.object({ retired: z.boolean() })
