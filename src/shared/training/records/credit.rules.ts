import type { Clock } from '../courses/syllabus.rules.ts'

/** Where credit comes from; `manual` needs an explanation. */
export const creditSources = ['lesson', 'transfer_141', 'transfer_61', 'simulator', 'manual'] as const
export type CreditSource = (typeof creditSources)[number]

/** An amount of credit: tenths of hours or a count, whichever its requirement is measured in. */
export interface CreditAmount {
  deciHours?: number | null | undefined
  count?: number | null | undefined
}

/** A requirement's measure: exactly one of its minimums is set. */
export interface RequirementMeasure {
  minTenths?: number | null | undefined
  minCount?: number | null | undefined
}

/**
 * Why an amount means nothing to its requirement, or null: it says hours or a count, not both and not neither, above
 * zero, and what the requirement is measured in. The message begins with the field, below `path`.
 */
export function amountProblem(amount: CreditAmount, requirement: RequirementMeasure, path = ''): string | null {
  const { deciHours = null, count = null } = amount
  if (deciHours !== null && count !== null) return `${path}count: give hours or a count, not both`
  if (deciHours === null && count === null) return `${path}deciHours: give hours or a count`
  if (deciHours !== null && deciHours < 1) return `${path}deciHours: must be more than 0`
  if (count !== null && count < 1) return `${path}count: must be more than 0`
  const inHours = requirement.minCount == null
  if (deciHours !== null && !inHours) return `${path}deciHours: the requirement is counted, not timed`
  if (count !== null && inHours) return `${path}count: the requirement is timed, not counted`
  return null
}

/** What a lesson credits to a requirement: the time on one of the record's clocks, or a count. */
export interface LessonCredit {
  requirementId: number
  clock: Clock | null
  count: number | null
}

/** What a signature posts. */
export interface Posting {
  requirementId: number
  tenths: number | null
  count: number | null
  clock: Clock | null
}

/** What signing a record posts: for each credit of its lesson the time on that clock, or the count. No time, no entry. */
export function postingsOf(
  credits: readonly LessonCredit[],
  times: Readonly<Record<Clock, number | null | undefined>>,
): Posting[] {
  return credits.flatMap(({ requirementId, clock, count }) => {
    const tenths = clock === null ? null : (times[clock] ?? 0)
    return tenths === 0 ? [] : [{ requirementId, tenths, count: clock === null ? count : null, clock }]
  })
}

/**
 * The clock that overridden credit counts by: the one that the lesson credits the requirement from, else the
 * simulator's for a lesson in it. So no override gets simulator time past its ceiling.
 */
export function clockOfOverride(
  requirementId: number,
  lesson: { kind: string; credits: readonly LessonCredit[] },
): Clock | null {
  const own = lesson.credits.filter((credit) => credit.requirementId === requirementId && credit.clock !== null)
  if (own.some((credit) => credit.clock === 'simulator')) return 'simulator'
  return own[0]?.clock ?? (lesson.kind === 'sim' ? 'simulator' : null)
}
