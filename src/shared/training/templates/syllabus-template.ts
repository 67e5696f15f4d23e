import type { Clock, certificates, LessonKind } from '../courses/syllabus.rules.ts'
import type { AcsCode } from './acs-tasks.ts'

/** A requirement of a template: so many tenths of hours, or so many times. */
export interface RequirementTemplate {
  code: string
  label: string
  deciHours?: number
  count?: number
  /** The share that simulators may make up, in basis points; no ceiling when left out. */
  simulatorBps?: number
  /** So many calendar months count, back from the test. */
  months?: number
  /** Students bring it along or log it beside the lessons: the planned lessons alone do not reach it. */
  experience?: true
}

/** What a lesson credits, by the code of the requirement: the time on a clock, or a count. */
export type CreditsTemplate = Readonly<Record<string, Clock | number>>

/** A lesson of a template; times are tenths of hours. A task is one of the ACS, or named in words. */
export interface LessonTemplate {
  name: string
  kind: LessonKind
  objectives: string
  standards: string
  flight?: number
  ground?: number
  tasks: readonly (AcsCode | { name: string })[]
  credits?: CreditsTemplate
  stageCheck?: true
}

export interface StageTemplate {
  name: string
  objective: string
  lessons: readonly LessonTemplate[]
}

/** A syllabus that a school can start from. It becomes a draft, which the school edits before publishing. */
export interface SyllabusTemplate {
  key: string
  name: string
  /** The rules and the standards that it follows, with their editions. */
  description: string
  certificateSought: (typeof certificates)[number]
  ratingId: number
  requirements: readonly RequirementTemplate[]
  stages: readonly StageTemplate[]
}
