import { z } from 'zod'
import { lessonKinds } from '../../../shared/training/courses/syllabus.rules.ts'
import { Id } from '../../http/schemas.ts'

/** The fields of a lesson, in a booking and in the syllabus of a course. */
export const lessonFields = {
  name: z.string(),
  kind: z.enum(lessonKinds),
  objectives: z.string().nullable(),
  completionStandards: z.string().nullable(),
}

/** The fields of a task of a lesson, in a booking and in the syllabus of a course. */
export const taskFields = {
  name: z.string(),
  acsCode: z.string().nullable(),
  standard: z.string().nullable(),
}

/** The lesson that is planned for a booking. */
export const PlannedLesson = z
  .object({ id: Id, ...lessonFields, tasks: z.array(z.object({ id: Id, ...taskFields })) })
  .meta({ id: 'PlannedLesson' })
