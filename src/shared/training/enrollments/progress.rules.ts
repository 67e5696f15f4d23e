import { type GradeOption, isPassing } from '../courses/grading.rules.ts'
import type { LessonKind } from '../courses/syllabus.rules.ts'

/** A lesson with its position in the syllabus. */
export interface LessonInOrder {
  id: number
  name: string
  stagePosition: number
  stageId: number
  position: number
  requiresSignoff: boolean
}

/** The facts of a record that decide progress. */
export interface RecordOfLesson {
  lessonId: number
  grade: string | null
  signed: boolean
  amended: boolean
}

/** Returns the lessons sorted by stage and position. Implements interface §Training: GET /training/candidates. */
export function inSyllabusOrder<L extends LessonInOrder>(lessons: readonly L[]): L[] {
  return [...lessons].sort(
    (a, b) => a.stagePosition - b.stagePosition || a.stageId - b.stageId || a.position - b.position || a.id - b.id,
  )
}

/**
 * Returns whether a lesson has a passing grade on a record that is not amended. Implements interface §Training record
 * and ledger: POST /training/records.
 */
export function isPassed(lessonId: number, records: readonly RecordOfLesson[], scale: readonly GradeOption[]): boolean {
  return records.some((one) => one.lessonId === lessonId && !one.amended && isPassing(scale, one.grade))
}

/**
 * Returns whether a lesson is completed: passed, and signed if it requires a sign-off. Implements interface §Training:
 * GET /training/candidates.
 */
export function isCompleted(
  lesson: Pick<LessonInOrder, 'id' | 'requiresSignoff'>,
  records: readonly RecordOfLesson[],
  scale: readonly GradeOption[],
): boolean {
  return isPassed(lesson.id, lesson.requiresSignoff ? records.filter((record) => record.signed) : records, scale)
}

/**
 * Returns the lessons that come before a lesson in the syllabus and are not passed yet. Part 141 training follows the
 * order of the syllabus.
 * Implements interface §Training record and ledger: warnings.
 */
export function skippedBefore<L extends LessonInOrder>(
  lessonId: number,
  lessons: readonly L[],
  records: readonly RecordOfLesson[],
  scale: readonly GradeOption[],
): L[] {
  const ordered = inSyllabusOrder(lessons)
  const place = ordered.findIndex((lesson) => lesson.id === lessonId)
  return ordered.slice(0, Math.max(0, place)).filter((lesson) => !isPassed(lesson.id, records, scale))
}

/** The most skipped lessons that a warning names. */
const NAMED = 3

/**
 * Returns the warning for a lesson graded out of order; null when no lesson was skipped. Implements interface §Training
 * record and ledger: warnings.
 */
export function outOfOrderWarning(skipped: readonly { name: string }[]): string | null {
  if (skipped.length === 0) return null
  const names = skipped.slice(0, NAMED).map((lesson) => lesson.name)
  const rest = skipped.length - names.length
  const list = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
  return `Part 141 training follows the syllabus, and this lesson comes after lessons that are not passed yet: ${list}.`
}

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
export function isOffered(kind: LessonKind, types: readonly string[] | undefined): boolean {
  return types === undefined || types.some((type) => (kindsByType[type] ?? []).includes(kind))
}

/**
 * Returns the unfinished lessons before the finished ones; both groups keep their order. Implements interface
 * §Training: GET /training/candidates.
 */
export function unfinishedFirst<L extends { completed: boolean }>(lessons: readonly L[]): L[] {
  return [...lessons.filter((lesson) => !lesson.completed), ...lessons.filter((lesson) => lesson.completed)]
}
