import { localDate } from '../../platform/kernel/zones.ts'

const DAY_MS = 86_400_000

/**
 * Returns the local days from one instant to another: 0 on the same day, negative backwards.
 * Implements interface §Reports, GET /reports/students.
 */
export function daysBetween(from: Date, to: Date, zone: string): number {
  return (Date.parse(localDate(to, zone)) - Date.parse(localDate(from, zone))) / DAY_MS
}

/** How far a student is in a course. `targetDays`: how long the course is meant to take. */
export interface CourseProgress {
  daysEnrolled: number
  targetDays: number | null
  lessonsCompleted: number
  lessonsInCourse: number
}

/**
 * Returns how many days a student is ahead of the target, if every lesson took an equal part of it; negative when behind.
 * Null without a target or lessons.
 * Implements interface §Reports, GET /reports/students.
 */
export function daysAhead({ daysEnrolled, targetDays, lessonsCompleted, lessonsInCourse }: CourseProgress) {
  if (targetDays === null || lessonsInCourse === 0) return null
  return Math.round((targetDays * lessonsCompleted) / lessonsInCourse) - daysEnrolled
}
