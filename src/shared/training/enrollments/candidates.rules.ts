import type { LessonKind } from '../courses/syllabus.rules.ts'

/** The kinds of lesson that a type of booking can close out: a dual or solo flies, guest and rental train nobody. */
const kindsByType: Readonly<Record<string, readonly LessonKind[]>> = {
  dual: ['flight'],
  solo: ['flight'],
  ground: ['ground'],
  sim: ['sim'],
}

/** Whether a booking of a type can close out a lesson; without a type every lesson is offered. */
export function isOffered(kind: LessonKind, type: string | undefined): boolean {
  return type === undefined || (kindsByType[type] ?? []).includes(kind)
}

/** Unfinished lessons first, each half in the order of the syllabus. */
export function unfinishedFirst<L extends { completed: boolean }>(lessons: readonly L[]): L[] {
  return [...lessons.filter((lesson) => !lesson.completed), ...lessons.filter((lesson) => lesson.completed)]
}
