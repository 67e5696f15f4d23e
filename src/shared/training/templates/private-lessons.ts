import { lessonPatterns } from './lesson-patterns.ts'

/**
 * The lesson patterns of the private course. Every lesson credits flight time; dual ones credit training received, solo
 * ones solo time.
 */
export const { dual, solo, ground, check } = lessonPatterns({
  dual: { 'PPL.TOTAL': 'flight', 'PPL.DUAL': 'instruction' },
  solo: { 'PPL.TOTAL': 'flight', 'PPL.SOLO': 'flight' },
})
