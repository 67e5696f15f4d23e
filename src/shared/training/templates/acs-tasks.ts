import { commercialTasks } from './acs/commercial.ts'
import { instructorTasks } from './acs/instructor.ts'
import { instrumentTasks } from './acs/instrument.ts'
import { privateTasks } from './acs/private.ts'

/** The tasks of the Airman Certification Standards that the templates use, by code. */
export const acsTasks = { ...privateTasks, ...instrumentTasks, ...commercialTasks, ...instructorTasks } as const

export type AcsCode = keyof typeof acsTasks
