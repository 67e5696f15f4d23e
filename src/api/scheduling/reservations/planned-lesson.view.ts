import { z } from 'zod'
import { lessonKinds } from '../../../shared/training/courses/syllabus.rules.ts'
import { Id } from '../../http/schemas.ts'

/** What a booking and its course's syllabus say of a lesson. */
export const lessonFields = {
  name: z.string().meta({ examples: ['Lesson 4: stalls'] }),
  kind: z.enum(lessonKinds),
  objectives: z.string().nullable(),
  completionStandards: z.string().nullable(),
}

/** What a booking and its course's syllabus say of a task of a lesson. */
export const taskFields = {
  name: z.string().meta({ examples: ['Power-Off Stalls'] }),
  acsCode: z
    .string()
    .nullable()
    .meta({ examples: ['PA.VII.B'] }),
  standard: z.string().nullable(),
}

/** The lesson that a booking is planned for. */
export const PlannedLesson = z
  .object({ id: Id, ...lessonFields, tasks: z.array(z.object({ id: Id, ...taskFields })) })
  .meta({ id: 'PlannedLesson' })
