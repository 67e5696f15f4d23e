import { z } from 'zod'
import { fieldErrors } from './field.errors.ts'
import { composed, problemOfLine, problemOfText, showsNothing, unwrapped } from './kernel/text.ts'

/**
 * Returns the schema of a text of several lines, such as notes and memos: at most `max` characters, cleaned by `upTo`.
 */
export function text(max: number) {
  return upTo(max).superRefine(refuseBy(problemOfText)).refine(isSeen, fieldErrors.shown())
}

/**
 * Returns the schema of a text of one line, such as labels and phone numbers: at most `max` characters, cleaned by
 * `upTo`.
 */
export function oneLine(max: number) {
  return upTo(max).superRefine(refuseBy(problemOfLine)).refine(isSeen, fieldErrors.shown())
}

/** The most characters that Unicode composition (NFC) can merge into one. */
const SHRINKS = 4

/**
 * Returns the schema of a text of at most `max` characters. It composes letters (Unicode NFC) and removes direction
 * marks around the text. A text longer than `SHRINKS` times `max` is refused without being cleaned.
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

/** Returns the schema of a line that is not blank. White space around it is removed. */
export function name(max: number) {
  return oneLine(max).trim().min(1)
}

/** Returns the schema of a text of several lines that is not blank. White space around it is removed. */
export function note(max: number) {
  return text(max).trim().min(1)
}

/**
 * Returns whether a text has visible characters. Also true for a blank text, which `name` and `note` refuse by its
 * length.
 */
function isSeen(value: string): boolean {
  return value.trim() === '' || !showsNothing(value)
}
