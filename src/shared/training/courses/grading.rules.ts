import type { Sentence } from '../../platform/kernel/errors.ts'
import { trainingErrors } from '../training.errors.ts'
/** A grade of a version's grading scale. The grades of a scale are in display order. */
export interface GradeOption {
  code: string
  label: string
  passing: boolean
}

/** The grading scale of a new syllabus. */
export const defaultGradingScale: readonly GradeOption[] = [
  { code: 'S', label: 'Satisfactory', passing: true },
  { code: 'U', label: 'Unsatisfactory', passing: false },
  { code: 'I', label: 'Incomplete', passing: false },
]

/**
 * Returns why a scale is invalid; null when it is valid. At least one grade must pass, and codes and labels must be
 * unique, ignoring case.
 * Implements interface §Training: PUT gradingScale.
 */
export function scaleProblem(scale: readonly GradeOption[]): Sentence | null {
  if (!scale.some((grade) => grade.passing)) return trainingErrors.noPassingGrade()
  for (const name of ['code', 'label'] as const) {
    const seen = new Set<string>()
    for (const [index, grade] of scale.entries()) {
      const key = grade[name].toLowerCase()
      if (seen.has(key)) return trainingErrors.gradeTwice({ field: `scale.${index}.${name}`, grade: grade[name] })
      seen.add(key)
    }
  }
  return null
}

/**
 * Returns whether a grade passes. Null and a grade that is not on the scale do not pass. Implements interface
 * §Training: PUT gradingScale.
 */
export function isPassing(scale: readonly GradeOption[], grade: string | null): boolean {
  return scale.some((option) => option.code === grade && option.passing)
}

/**
 * Returns whether the grade is on the scale. Implements interface §Training record and ledger: POST /training/records.
 */
export function isOnScale(scale: readonly GradeOption[], grade: string): boolean {
  return scale.some((option) => option.code === grade)
}
