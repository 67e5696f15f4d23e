import { z } from 'zod'
import { lessonKinds } from '../../../shared/training/courses/syllabus.rules.ts'
import { Id } from '../../http/schemas.ts'

/** What a booking and its course's syllabus say of a lesson. */
export const lessonFields = {
  name: z.string(),
  kind: z.enum(lessonKinds),
  objectives: z.string().nullable(),
  completionStandards: z.string().nullable(),
}

/** What a booking and its course's syllabus say of a task of a lesson. */
export const taskFields = {
  name: z.string(),
  acsCode: z.string().nullable(),
  standard: z.string().nullable(),
}

/** The lesson that a booking is planned for. */
export const PlannedLesson = z
  .object({ id: Id, ...lessonFields, tasks: z.array(z.object({ id: Id, ...taskFields })) })
  .meta({ id: 'PlannedLesson' })
