import { lessonPatterns } from './lesson-patterns.ts'

/** The lessons of the private course: all of them are flight time, with an instructor training received, alone solo. */
export const { dual, solo, ground, check } = lessonPatterns({
  dual: { 'PPL.TOTAL': 'flight', 'PPL.DUAL': 'instruction' },
  solo: { 'PPL.TOTAL': 'flight', 'PPL.SOLO': 'flight' },
})
