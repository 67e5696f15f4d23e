/** A mark of a version's grading scale, in display order. */
export interface GradeOption {
  code: string
  label: string
  passing: boolean
}

/** The scale of a new syllabus. */
export const defaultGradingScale: readonly GradeOption[] = [
  { code: 'S', label: 'Satisfactory', passing: true },
  { code: 'U', label: 'Unsatisfactory', passing: false },
  { code: 'I', label: 'Incomplete', passing: false },
]

/** Why a scale cannot be used, or null: somebody must be able to pass, and no two grades share a code or a label. */
export function scaleProblem(scale: readonly GradeOption[]): string | null {
  if (!scale.some((grade) => grade.passing)) return 'scale: at least one grade must pass'
  for (const name of ['code', 'label'] as const) {
    const seen = new Set<string>()
    for (const [index, grade] of scale.entries()) {
      const key = grade[name].toLowerCase()
      if (seen.has(key)) return `scale.${index}.${name}: two grades share the name ${grade[name]}`
      seen.add(key)
    }
  }
  return null
}

/** Whether a grade passes on a scale; no grade, or one that the scale does not have, does not. */
export function isPassing(scale: readonly GradeOption[], grade: string | null): boolean {
  return scale.some((option) => option.code === grade && option.passing)
}

/** Whether the scale has the grade. */
export function isOnScale(scale: readonly GradeOption[], grade: string): boolean {
  return scale.some((option) => option.code === grade)
}
