import { z } from 'zod'
import { fieldErrors } from './field.errors.ts'
import { composed, problemOfLine, problemOfText, showsNothing, unwrapped } from './kernel/text.ts'

/** Returns the schema of a text of several lines, such as notes and memos: at most `max` characters, cleaned as those of one. */
export function text(max: number) {
  return upTo(max).superRefine(refuseBy(problemOfText)).refine(isSeen, fieldErrors.shown())
}

/**
 * Returns the schema of a text of one line, such as labels and phone numbers: at most `max` characters, with composed letters and
 * without marks of direction around it.
 */
export function oneLine(max: number) {
  return upTo(max).superRefine(refuseBy(problemOfLine)).refine(isSeen, fieldErrors.shown())
}

/** The most that composing makes a text shorter: one character of four. */
const SHRINKS = 4

/**
 * Returns the schema of a text of at most `max` characters as it is stored: with composed letters, without marks of direction
 * around it. One that is too long is neither cleaned nor looked at further.
 */
function upTo(max: number) {
  return z
    .string()
    .overwrite((value) => (value.length > SHRINKS * max ? value : unwrapped(composed(value))))
    .max(max, { abort: true })
}

function refuseBy(problemOf: (value: string) => string | null) {
  return (value: string, context: z.RefinementCtx) => {
    const problem = problemOf(value)
    if (problem !== null) context.addIssue(problem)
  }
}

/** Returns the schema of a line that is not blank; blanks around it are removed. */
export function name(max: number) {
  return oneLine(max).trim().min(1)
}

/** Returns the schema of a text of several lines that is not blank; blanks around it are removed. */
export function note(max: number) {
  return text(max).trim().min(1)
}

/** Returns whether a text is blank, which a name refuses by its length, or has something to see. */
function isSeen(value: string): boolean {
  return value.trim() === '' || !showsNothing(value)
}
