import { z } from 'zod'
import { inBasisPoints, inTenths } from '../../shared/platform/kernel/units.ts'
import { clocks } from '../../shared/training/courses/syllabus.rules.ts'
import { PathId } from '../http/schemas.ts'

/** Tenths of hours in a request body: at most 100,000 hours. */
export const DeciHoursInput = inTenths(z.int().min(0).max(1_000_000).meta({ unit: 'Tenths of an hour' }))

/** A count in a request body. */
export const CountInput = z.int().min(0).max(100_000)

/** Tenths of hours in a response. */
export const DeciHours = z.int().meta({ unit: 'Tenths of an hour' })

/** A share in basis points: 10000 is the whole. */
export const BpsInput = inBasisPoints(z.int().min(0).max(10_000))

/** A position in a list. */
export const PositionInput = z.int().min(0).max(100_000)

export const ClockName = z.enum(clocks).meta({ choices: 'TrainingClock' })

export const CourseParams = z.object({ courseId: PathId })
export const VersionParams = z.object({ versionId: PathId })
export const EnrollmentParams = z.object({ enrollmentId: PathId })
export const RecordParams = z.object({ recordId: PathId })

/** The descriptions of the grants in the OpenAPI document. */
export const opensFor = {
  configureTraining: 'Allowed for admins and holders of the grant `configureTraining`.',
  configureOrAudit: 'Allowed for admins and holders of the grant `configureTraining` or `auditor`.',
  manageEnrollment: 'Allowed for admins and holders of the grant `manageEnrollment`.',
}
