/** The progress of a student in a course; `targetDays` is the planned length of the course. */
export interface CourseProgress {
  daysEnrolled: number
  targetDays: number | null
  lessonsCompleted: number
  lessonsInCourse: number
}

/**
 * Returns the number of days that a student is ahead of the target, when every lesson counts as an equal part of it;
 * negative when behind; null without a target or lessons.
 * Implements interface §Reports, GET /reports/students.
 */
export function daysAhead({ daysEnrolled, targetDays, lessonsCompleted, lessonsInCourse }: CourseProgress) {
  if (targetDays === null || lessonsInCourse === 0) return null
  return Math.round((targetDays * lessonsCompleted) / lessonsInCourse) - daysEnrolled
}
