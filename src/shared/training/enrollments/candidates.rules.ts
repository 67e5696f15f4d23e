import type { LessonKind } from '../courses/syllabus.rules.ts'

/** The kinds of lesson that a type of booking can close out. A type that is not listed has none. */
const kindsByType: Readonly<Record<string, readonly LessonKind[]>> = {
  dual: ['flight'],
  solo: ['flight'],
  ground: ['ground'],
  sim: ['sim'],
}

/**
 * Returns whether a booking of a type can close out a lesson. Without a type, every lesson matches.
 * Implements interface §Training: GET /training/candidates.
 */
export function isOffered(kind: LessonKind, type: string | undefined): boolean {
  return type === undefined || (kindsByType[type] ?? []).includes(kind)
}

/** Returns the unfinished lessons before the finished ones; both parts keep their order. */
export function unfinishedFirst<L extends { completed: boolean }>(lessons: readonly L[]): L[] {
  return [...lessons.filter((lesson) => !lesson.completed), ...lessons.filter((lesson) => lesson.completed)]
}
