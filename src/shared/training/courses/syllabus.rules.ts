import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { trainingErrors } from '../training.errors.ts'

export const lessonKinds = ['ground', 'flight', 'sim'] as const
export type LessonKind = (typeof lessonKinds)[number]

/** The clocks of a training record that measure time; `instrument` is actual and simulated instrument time together. */
export const timeClocks = [
  'flight',
  'instruction',
  'simulator',
  'ground',
  'night',
  'cross_country',
  'actual_instrument',
  'simulated_instrument',
  'instrument',
  'pic',
  'solo',
] as const

/** The clocks of a training record that are counts. They cover day and night, unless the name contains `night`. */
export const countClocks = ['landings', 'full_stops', 'night_takeoffs', 'night_full_stops', 'approaches'] as const
export type CountClock = (typeof countClocks)[number]

/** The clocks of a training record, which are its times and counts: 14 CFR 61.51(b). */
export const clocks = [...timeClocks, ...countClocks] as const
export type Clock = (typeof clocks)[number]

/**
 * Returns whether a clock is a count and not a time. Such a clock credits only requirements with a minimum count.
 * Implements interface §Training: PUT lessons.
 */
export function isCounting(clock: Clock): clock is CountClock {
  return (countClocks as readonly Clock[]).includes(clock)
}

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

/** The credit of a lesson to a requirement: the time or count of one of the record's clocks, or a fixed count. */
export interface LessonCredit {
  requirementId: number
  clock: Clock | null
  count: number | null
}

/**
 * Returns why a lesson's credits are invalid; null when they are valid. Each item must reference a requirement of the
 * version. A requirement in hours needs a clock that measures time; a requirement with a count needs a clock that
 * counts, or a fixed count. No two items may have the same requirement and clock. Implements interface §Training: PUT
 * lessons.
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
    const timed = clock !== null && !isCounting(clock)
    if (timed && !inHours) return trainingErrors.requirementCounted({ field: `${path}.clock` })
    if (!timed && inHours) {
      return trainingErrors.requirementTimed({ field: `${path}.${clock === null ? 'count' : 'clock'}` })
    }
    const key = `${requirementId} ${clock}`
    if (seen.has(key)) return trainingErrors.creditTwice({ field: path })
    seen.add(key)
  }
  return null
}
