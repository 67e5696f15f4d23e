import type { Appendix, DeviceKind } from '../courses/device-ceilings.rules.ts'
import type { Clock, certificates, LessonKind } from '../courses/syllabus.rules.ts'
import type { AcsCode } from './acs-tasks.ts'

/** A requirement of a template, in tenths of hours or as a count. */
export interface RequirementTemplate {
  code: string
  label: string
  deciHours?: number
  count?: number
  /** The largest share of the minimum that can be simulator time, in basis points; undefined for no ceiling. */
  simulatorBps?: number
  /** The largest shares of the minimum that can be time in some kinds of device, in basis points. */
  devices?: readonly { kinds: DeviceKind[]; bps: number }[]
  /** Set when the school defines the minimum, because the regulation has none. */
  source?: 'school'
  /** The recency window, in calendar months before the test. */
  months?: number
  /** The recency window, in days before the test. */
  days?: number
  /**
   * True when students have some of the time before the course or log it outside the lessons. The planned lessons alone
   * then do not reach the minimum.
   */
  experience?: true
}

/** The credits of a lesson by the code of the requirement: the clock whose reading is credited, or a fixed count. */
export type CreditsTemplate = Readonly<Record<string, Clock | number>>

/** A lesson of a template; times are tenths of hours. A task is an ACS code or a name. */
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

/** A template of a syllabus. `buildCourse` creates a draft from it, which the school can edit before publishing. */
export interface SyllabusTemplate {
  key: string
  name: string
  /** The regulations and standards of the syllabus, with their editions. */
  description: string
  /** The standard whose tasks the syllabus has, with its edition; null for a course without one. */
  standard: string | null
  certificateSought: (typeof certificates)[number]
  ratingId: number
  /** The appendix for a course under Part 141; undefined for a course under Part 61. */
  appendix?: Appendix
  requirements: readonly RequirementTemplate[]
  stages: readonly StageTemplate[]
}
