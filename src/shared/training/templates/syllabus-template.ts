import type { Appendix, DeviceKind } from '../courses/device-ceilings.rules.ts'
import type { Clock, certificates, LessonKind } from '../courses/syllabus.rules.ts'
import type { AcsCode } from './acs-tasks.ts'

/** A requirement of a template, in tenths of hours or as a count. */
export interface RequirementTemplate {
  code: string
  label: string
  deciHours?: number
  count?: number
  /** The share that simulators may make up, in basis points; undefined for no ceiling. */
  simulatorBps?: number
  /** The shares of some kinds of device, in basis points. */
  devices?: readonly { kinds: DeviceKind[]; bps: number }[]
  /** A figure of the school's own, where the regulation has none. */
  source?: 'school'
  /** The recency window: calendar months back from the test. */
  months?: number
  /** The recency window: days back from the test. */
  days?: number
  /**
   * True when students bring the time or log it outside the lessons, so that the planned lessons alone do not reach it.
   */
  experience?: true
}

/** The credits of a lesson by the requirement's code: what a clock shows, or a fixed count. */
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

/** A syllabus to start from. It becomes a draft, which the school edits before publishing. */
export interface SyllabusTemplate {
  key: string
  name: string
  /** The regulations and standards of the syllabus, with their editions. */
  description: string
  /** The standard whose tasks it has, in its edition; null for a course without one. */
  standard: string | null
  certificateSought: (typeof certificates)[number]
  ratingId: number
  /** The appendix of Part 141 whose course it is; undefined for a course under Part 61. */
  appendix?: Appendix
  requirements: readonly RequirementTemplate[]
  stages: readonly StageTemplate[]
}
