import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { trainingErrors } from '../training.errors.ts'

export const lessonKinds = ['ground', 'flight', 'sim'] as const
export type LessonKind = (typeof lessonKinds)[number]

/** The clocks of a training record: each logs one kind of time. */
export const clocks = ['flight', 'instruction', 'simulator', 'ground'] as const
export type Clock = (typeof clocks)[number]

export const requirementSources = ['part61', 'part141', 'school'] as const
export type RequirementSource = (typeof requirementSources)[number]

export const regulatoryParts = ['part61', 'part141'] as const
export type RegulatoryPart = (typeof regulatoryParts)[number]

export const certificates = ['private', 'instrument', 'commercial', 'cfi', 'atp', 'endorsement', 'other'] as const

/** A requirement's measure: exactly one of its minimums is set. */
export interface RequirementMeasure {
  minTenths?: Tenths | null | undefined
  minCount?: number | null | undefined
}

/** What a lesson credits to a requirement: the time on one of the record's clocks, or a count. */
export interface LessonCredit {
  requirementId: number
  clock: Clock | null
  count: number | null
}

/**
 * Returns why a lesson's credits are invalid, or null. Each item references a requirement of the version and uses its
 * measure (a clock for hours, a count otherwise), and no two items are the same.
 */
export function creditProblem(
  credits: readonly LessonCredit[],
  requirements: readonly (RequirementMeasure & { id: number })[],
): Sentence | null {
  const seen = new Set<string>()
  for (const [index, { requirementId, clock, count }] of credits.entries()) {
    const path = `credits.${index}`
    const requirement = requirements.find((one) => one.id === requirementId)
    if (!requirement) return trainingErrors.creditOfUnknown({ field: `${path}.requirementId` })
    if (clock !== null && count !== null) return trainingErrors.clockAndCount({ field: `${path}.count` })
    if (clock === null && count === null) return trainingErrors.clockOrCount({ field: `${path}.clock` })
    const inHours = requirement.minCount == null
    if (clock !== null && !inHours) return trainingErrors.requirementCounted({ field: `${path}.clock` })
    if (count !== null && inHours) return trainingErrors.requirementTimed({ field: `${path}.count` })
    const key = `${requirementId} ${clock}`
    if (seen.has(key)) return trainingErrors.creditTwice({ field: path })
    seen.add(key)
  }
  return null
}
