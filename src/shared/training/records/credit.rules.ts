import type { Sentence } from '../../platform/kernel/errors.ts'
import { type Tenths, ZERO } from '../../platform/kernel/units.ts'
import type { Clock, LessonCredit, RequirementMeasure } from '../courses/syllabus.rules.ts'
import { trainingErrors } from '../training.errors.ts'

/** An amount of credit, in the measure of its requirement: tenths of hours or a count. */
export interface CreditAmount {
  deciHours?: Tenths | null | undefined
  count?: number | null | undefined
}

/**
 * Returns why an amount is invalid for its requirement, or null. It is hours or a count, not both, above zero, and in
 * the requirement's measure. The message begins with the field, prefixed by `path`.
 * Implements interface §Training: POST /training/credits.
 */
export function amountProblem(amount: CreditAmount, requirement: RequirementMeasure, path = ''): Sentence | null {
  const { deciHours = null, count = null } = amount
  if (deciHours !== null && count !== null) return trainingErrors.creditOfBoth({ field: `${path}count` })
  if (deciHours === null && count === null) return trainingErrors.creditOfNeither({ field: `${path}deciHours` })
  if (deciHours !== null && deciHours < 1) return trainingErrors.creditZero({ field: `${path}deciHours` })
  if (count !== null && count < 1) return trainingErrors.creditZero({ field: `${path}count` })
  const inHours = requirement.minCount == null
  if (deciHours !== null && !inHours) return trainingErrors.requirementCounted({ field: `${path}deciHours` })
  if (count !== null && inHours) return trainingErrors.requirementTimed({ field: `${path}count` })
  return null
}

/** One ledger entry that a signature posts. */
export interface Posting {
  requirementId: number
  tenths: Tenths | null
  count: number | null
  clock: Clock | null
}

/**
 * Returns what signing a record posts: for each credit of its lesson the time on that clock, or the count. A clock
 * without time posts nothing.
 * Implements interface §Training record and ledger: POST sign.
 */
export function postingsOf(
  credits: readonly LessonCredit[],
  times: Readonly<Record<Clock, Tenths | null | undefined>>,
): Posting[] {
  return credits.flatMap(({ requirementId, clock, count }) => {
    const tenths = clock === null ? null : (times[clock] ?? ZERO)
    return tenths === 0 ? [] : [{ requirementId, tenths, count: clock === null ? count : null, clock }]
  })
}

/**
 * Returns the clock of an overridden credit: the clock from which the lesson credits the requirement, else `simulator`
 * for a simulator lesson. An override therefore cannot bypass the simulator ceiling.
 */
export function clockOfOverride(
  requirementId: number,
  lesson: { kind: string; credits: readonly LessonCredit[] },
): Clock | null {
  const own = lesson.credits.filter((credit) => credit.requirementId === requirementId && credit.clock !== null)
  if (own.some((credit) => credit.clock === 'simulator')) return 'simulator'
  return own[0]?.clock ?? (lesson.kind === 'sim' ? 'simulator' : null)
}
