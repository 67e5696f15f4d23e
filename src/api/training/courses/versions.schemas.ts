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
          code: name(20).meta({ examples: ['S'] }),
          label: name(100)
            .optional()
            .describe('The code when left out')
            .meta({ examples: ['Satisfactory'] }),
          passing: z
            .boolean()
            .default(false)
            .meta({ examples: [true] }),
        })
        .transform(({ code, label = code, passing }) => ({ code, label, passing })),
    )
    .min(1)
    .max(30)
    .describe('In display order; at least one grade passes'),
})

export const StageBody = z.object({
  stageId: Id.nullable().default(null).describe('Left out, the stage is new'),
  name: name(200).meta({ examples: ['Stage 1: first solo'] }),
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
        'What this clock of the record shows is posted: tenths of hours, or for landings, full stops, night takeoffs and ' +
          'approaches a count. `instrument` is actual and simulated instrument time',
      ),
    count: CountInput.min(1)
      .nullable()
      .default(null)
      .describe('Or so many times')
      .meta({ examples: [null] }),
  })
  .describe('One of `clock` and `count`')

export const LessonBody = z.object({
  lessonId: Id.nullable().default(null).describe('Left out, the lesson is new'),
  stageId: Id,
  name: name(200).meta({ examples: ['Lesson 4: stalls'] }),
  position: PositionInput,
  kind: z.enum(lessonKinds),
  objectives: Words,
  completionStandards: Words,
  minFlightDeciHours: DeciHoursInput.nullable().default(null).describe('Tenths of hours'),
  minGroundDeciHours: DeciHoursInput.nullable().default(null).describe('Tenths of hours'),
  requiresSignoff: z.boolean().default(true),
  requiresNotes: z.boolean().default(false).describe('Without notes it cannot be signed'),
  isStageCheck: z.boolean().default(false),
  credits: z
    .array(Credit)
    .max(50)
    .nullable()
    .default(null)
    .describe('What signing posts; one flight can post to several requirements. Left out, those of the lesson stay'),
})

export const TasksBody = z.object({
  tasks: z
    .array(
      z.object({
        name: name(300).meta({ examples: ['Power-Off Stalls'] }),
        acsCode: name(40)
          .nullable()
          .default(null)
          .describe('Its place in the Airman Certification Standards')
          .meta({ examples: ['PA.VII.B'] }),
        standard: Words,
      }),
    )
    .max(200)
    .describe('The whole list, in order'),
})

const DeviceCeilings = z
  .array(z.object({ deviceKinds: z.array(z.enum(deviceKinds)).min(1).max(4).transform(distinct), bps: BpsInput }))
  .max(10)

export const RequirementBody = z.object({
  requirementId: Id.nullable().default(null).describe('Left out, the requirement is new'),
  code: name(60)
    .describe('A stable key, one of its kind in the version')
    .meta({ examples: ['PPL.DUAL'] }),
  label: name(200).meta({ examples: ['Flight training received'] }),
  minDeciHours: DeciHoursInput.min(1)
    .nullable()
    .default(null)
    .describe('Tenths of hours; or else `minCount`')
    .meta({ examples: [200] }),
  minCount: CountInput.min(1)
    .nullable()
    .default(null)
    .meta({ examples: [null] }),
  source: z
    .enum(requirementSources)
    .nullable()
    .default(null)
    .describe('The part that the course runs under when left out; `school` never blocks graduation'),
  maxSimulatorBps: BpsInput.nullable().default(null).describe('Of the minimum; null for no ceiling'),
  maxTransferBps: BpsInput.nullable()
    .default(null)
    .describe('Of the minimum, both kinds of transfer together; null: 5000 for `transfer_141`, 2500 for `transfer_61`'),
  deviceCeilings: DeviceCeilings.default([])
    .describe('Of the minimum, for some kinds of device beside the ceiling of all: 14 CFR 61.65(i), (j)')
    .meta({ examples: [[{ deviceKinds: ['batd'], bps: 2500 }]] }),
  recencyCalendarMonths: z
    .int()
    .min(1)
    .max(1200)
    .nullable()
    .default(null)
    .describe('Older training stops counting at the end of the last month; left out, there is no window')
    .meta({ examples: [2] }),
  recencyDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .default(null)
    .describe('Or a window of local days, such as the 60 of 14 CFR 141 Appendix B; left out, there is none')
    .meta({ examples: [null] }),
})

export const DeviceCeilingsBody = z.object({
  appendix: z
    .enum(appendices)
    .nullable()
    .default(null)
    .describe(
      'The appendix of 14 CFR Part 141 that the course is approved under; its graduates owe an end-of-course test',
    ),
  deviceCeilings: DeviceCeilings.optional().describe(
    'Shares of the flight training of the course or of the appendix, whichever is less, in basis points; those of the ' +
      'appendix when left out',
  ),
})

export const PublishBody = z
  .object({
    approvedAt: InstantInput.nullable().default(null),
    approvalReference: name(200)
      .nullable()
      .default(null)
      .meta({ examples: ['FSDO letter of 3 March'] }),
  })
  .default({ approvedAt: null, approvalReference: null })

export const RetireBody = z.object({ retired: z.boolean() })
