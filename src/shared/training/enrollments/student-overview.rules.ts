import { formatTenths } from '../../platform/kernel/hours.ts'
import { tenths } from '../../platform/kernel/units.ts'
import type { RequirementProgress } from './requirement-progress.rules.ts'

/** The party that must act next for a student. */
export const waitingFor = ['student', 'instructor', 'school'] as const
export type WaitingFor = (typeof waitingFor)[number]

/** The facts that decide who must act. */
export interface OverviewFacts {
  hasInstructor: boolean
  /** Whether there are lessons without a record, or records that are graded and not signed. */
  toRecord: boolean
  /** Whether there are records that wait for the student's signature. */
  toCountersign: boolean
  lessonsLeft: boolean
  missing: readonly string[]
  booked: boolean
}

/**
 * Returns who must act next for a student, by the first case that applies: the instructor (without one, the school) to
 * write or sign a record; the student to countersign a record; the school to name an instructor, or to end the
 * enrollment when no lesson or requirement is left; the student to book. Null when the next booking is made. Implements
 * interface §Training: GET /training/students.
 */
export function waitsFor(facts: OverviewFacts): WaitingFor | null {
  const { hasInstructor, toRecord, toCountersign, lessonsLeft, missing, booked } = facts
  if (toRecord) return hasInstructor ? 'instructor' : 'school'
  if (toCountersign) return 'student'
  if (!hasInstructor || (!lessonsLeft && missing.length === 0)) return 'school'
  return booked ? null : 'student'
}

/**
 * Returns the missing part of each unmet requirement, such as "Solo flight: 3.2 of 10.0 hours". Implements
 * interface §Training: GET /training/students.
 */
export function missingOf(
  requirements: readonly (Pick<RequirementProgress, 'credited' | 'required' | 'met'> & {
    label: string
    inHours: boolean
  })[],
): string[] {
  return requirements
    .filter(({ met }) => !met)
    .map(({ label, inHours, credited, required }) =>
      inHours
        ? `${label}: ${formatTenths(tenths(Math.max(0, credited)))} of ${formatTenths(tenths(required))} hours`
        : `${label}: ${Math.max(0, credited)} of ${required}`,
    )
}

/**
 * Returns the share of completed lessons, from 0 to 1, rounded down to hundredths; 0 without lessons. Implements
 * interface §Training: GET /training/students.
 */
export function shareOf({ completed, lessons }: { completed: number; lessons: number }): number {
  return lessons === 0 ? 0 : Math.floor((completed * 100) / lessons) / 100
}
