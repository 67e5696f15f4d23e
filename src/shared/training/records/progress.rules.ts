import { type GradeOption, isPassing } from '../courses/grading.rules.ts'

/** A lesson in its place in the syllabus. */
export interface LessonInOrder {
  id: number
  name: string
  stagePosition: number
  stageId: number
  position: number
  requiresSignoff: boolean
}

/** A record as progress counts it. */
export interface RecordOfLesson {
  lessonId: number
  grade: string | null
  signed: boolean
  amended: boolean
}

/** Lessons by stage and position, as the syllabus is flown. */
export function inSyllabusOrder<L extends LessonInOrder>(lessons: readonly L[]): L[] {
  return [...lessons].sort(
    (a, b) => a.stagePosition - b.stagePosition || a.stageId - b.stageId || a.position - b.position || a.id - b.id,
  )
}

/** Whether a lesson has a passing grade that no amendment took back. */
export function isPassed(lessonId: number, records: readonly RecordOfLesson[], scale: readonly GradeOption[]): boolean {
  return records.some((one) => one.lessonId === lessonId && !one.amended && isPassing(scale, one.grade))
}

/** Whether a lesson is done: passed, and signed where it requires a sign-off. */
export function isCompleted(
  lesson: Pick<LessonInOrder, 'id' | 'requiresSignoff'>,
  records: readonly RecordOfLesson[],
  scale: readonly GradeOption[],
): boolean {
  return isPassed(lesson.id, lesson.requiresSignoff ? records.filter((record) => record.signed) : records, scale)
}

/** The lessons that the syllabus puts before one and that are not passed: Part 141 wants its order kept. */
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

/** How many of the skipped lessons a warning names. */
const NAMED = 3

/** The warning of a lesson graded before its turn; null in order. */
export function outOfOrderWarning(skipped: readonly { name: string }[]): string | null {
  if (skipped.length === 0) return null
  const names = skipped.slice(0, NAMED).map((lesson) => lesson.name)
  const rest = skipped.length - names.length
  const list = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
  return `Part 141 training follows the syllabus, and this lesson comes after lessons that are not passed yet: ${list}.`
}
