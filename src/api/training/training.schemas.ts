import { z } from 'zod'
import { clocks } from '../../shared/training/courses/syllabus.rules.ts'
import { Id, PathId } from '../http/schemas.ts'

/** Tenths of hours in a body: at most 100,000 hours. */
export const DeciHoursInput = z
  .int()
  .min(0)
  .max(1_000_000)
  .meta({ examples: [14] })

/** How many times, in a body. */
export const CountInput = z
  .int()
  .min(0)
  .max(100_000)
  .meta({ examples: [3] })

/** Tenths of hours in an answer. */
export const DeciHours = z.int().meta({ examples: [14] })

/** A share in basis points: 10000 is the whole. */
export const BpsInput = z
  .int()
  .min(0)
  .max(10_000)
  .meta({ examples: [2000] })

/** The place in an order. */
export const PositionInput = z
  .int()
  .min(0)
  .max(100_000)
  .meta({ examples: [1] })

export const ClockName = z.enum(clocks)

/** The answer to a deletion: what is gone. */
export const Deleted = z.object({ id: Id })

export const CourseParams = z.object({ courseId: PathId })
export const VersionParams = z.object({ versionId: PathId })
export const EnrollmentParams = z.object({ enrollmentId: PathId })
export const RecordParams = z.object({ recordId: PathId })

/** How the OpenAPI description says what a grant opens. */
export const opensFor = {
  configureTraining: 'For admins and holders of the grant `configureTraining`.',
  configureOrAudit: 'For admins and holders of the grants `configureTraining` or `auditor`.',
  manageEnrollment: 'For admins and holders of the grant `manageEnrollment`.',
}
