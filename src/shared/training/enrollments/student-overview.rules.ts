import { formatTenths } from '../../platform/kernel/hours.ts'
import { tenths } from '../../platform/kernel/units.ts'
import type { RequirementProgress } from './requirement-progress.rules.ts'

/** Who has to act next for a student. */
export const waitingFor = ['student', 'instructor', 'school'] as const
export type WaitingFor = (typeof waitingFor)[number]

/** What decides who has to act. */
export interface OverviewFacts {
  hasInstructor: boolean
  /** Flights without record, and records that are graded and not signed. */
  toRecord: boolean
  /** Records that wait for the student's signature. */
  toCountersign: boolean
  lessonsLeft: boolean
  missing: readonly string[]
  booked: boolean
}

/**
 * Returns who has to act next for a student: the school to name an instructor, or to end the enrollment when nothing is
 * left of it; the instructor to write or sign a record; the student to countersign one, or to book while lessons or
 * requirements are left. Null while the next booking stands. Implements interface §Training: GET /training/students.
 */
export function waitsFor(facts: OverviewFacts): WaitingFor | null {
  const { hasInstructor, toRecord, toCountersign, lessonsLeft, missing, booked } = facts
  if (toRecord) return hasInstructor ? 'instructor' : 'school'
  if (toCountersign) return 'student'
  if (!hasInstructor || (!lessonsLeft && missing.length === 0)) return 'school'
  return booked ? null : 'student'
}

/** Returns what is missing of the requirements that are not met, such as "Solo flight: 3.2 of 10.0 hours". */
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

/** Returns the share of lessons that are completed, from 0 to 1, cut to hundredths; 0 without lessons. */
export function shareOf({ completed, lessons }: { completed: number; lessons: number }): number {
  return lessons === 0 ? 0 : Math.floor((completed * 100) / lessons) / 100
}
