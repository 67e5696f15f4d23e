import { z } from 'zod'
import { deviceKinds } from '../../fleet/resources/resource.rules.ts'
import { basisPoints, cents, tenths } from '../../platform/kernel/units.ts'
import { name, text } from '../../platform/text.schemas.ts'
import {
  certificates,
  clocks,
  lessonKinds,
  regulatoryParts,
  requirementSources,
} from '../../training/courses/syllabus.rules.ts'

/*
 * The schemas of the parts of a version in an import, with the fields that `GET /training/versions/{id}` returns. A field
 * that is left out is null or false. Credits refer to requirements by their ids; other fields are ignored.
 */

const Name = name(200)
const Text = text(5000).trim().nullable().default(null)
const Hours = z.int().min(1).max(100_000).transform(tenths).nullable().default(null)
const Share = z.int().min(0).max(10_000).transform(basisPoints)
const Flag = z.boolean().default(false)
const Count = z.int().min(1).max(100_000).nullable().default(null)

/** The schema of the course of a version. */
export const CourseShape = z.object({
  name: Name,
  description: Text,
  enrollmentFeeCents: z.int().min(0).max(100_000_000).transform(cents).nullable().default(null),
  enrollmentFeeLabel: Name.nullable().default(null),
  regulatoryPart: z.enum(regulatoryParts).default('part61'),
  certificateSought: z.enum(certificates).nullable().default(null),
  ratingId: z.int().min(1).nullable().default(null),
  targetDays: z.int().min(1).max(3650).nullable().default(null),
})

/** The schema of the ceilings of time in devices. */
export const Ceilings = z
  .array(z.object({ deviceKinds: z.array(z.enum(deviceKinds)).min(1).max(20), bps: Share }))
  .max(20)

/** The schema of a grading scale: its grades, in display order. */
export const GradeOptions = z
  .array(z.object({ code: Name, label: Name, passing: z.boolean() }))
  .min(1)
  .max(20)

/** The schema of the requirements of a version. */
export const Requirements = z
  .array(
    z.object({
      id: z.int().min(1).nullable().default(null),
      code: Name,
      label: Name,
      minDeciHours: Hours,
      minCount: Count,
      source: z.enum(requirementSources).nullable().default(null),
      maxSimulatorBps: Share.nullable().default(null),
      maxTransferBps: Share.nullable().default(null),
      recencyCalendarMonths: z.int().min(1).max(120).nullable().default(null),
      recencyDays: z.int().min(1).max(3650).nullable().default(null),
      deviceCeilings: Ceilings.default([]),
    }),
  )
  .max(200)

const Lesson = z.object({
  name: Name,
  kind: z.enum(lessonKinds),
  objectives: Text,
  completionStandards: Text,
  minFlightDeciHours: Hours,
  minGroundDeciHours: Hours,
  requiresSignoff: Flag,
  requiresNotes: Flag,
  isStageCheck: Flag,
  credits: z
    .array(z.object({ requirementId: z.int().min(1), clock: z.enum(clocks).nullable().default(null), count: Count }))
    .max(100)
    .default([]),
  tasks: z
    .array(z.object({ name: Name, acsCode: Name.nullable().default(null), standard: Text }))
    .max(100)
    .default([]),
})

/** The schema of the stages of a version with their lessons, in order. */
export const Stages = z
  .array(
    z.object({ name: Name, objective: Text, requiresStageCheck: Flag, lessons: z.array(Lesson).max(200).default([]) }),
  )
  .max(100)
