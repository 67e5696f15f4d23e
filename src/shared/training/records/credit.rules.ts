import type { Sentence } from '../../platform/kernel/errors.ts'
import { type Tenths, tenths } from '../../platform/kernel/units.ts'
import type { DeviceKind } from '../courses/device-ceilings.rules.ts'
import { type Clock, isCounting, type LessonCredit, type RequirementMeasure } from '../courses/syllabus.rules.ts'
import type { CreditSource } from '../enrollments/requirement-progress.rules.ts'
import { trainingErrors } from '../training.errors.ts'

/** An amount of credit, in the measure of its requirement: tenths of hours or a count. */
export interface CreditAmount {
  deciHours?: Tenths | null | undefined
  count?: number | null | undefined
}

/**
 * Returns why an amount is invalid for its requirement; null when it is valid. A valid amount is either hours or a
 * count, as the requirement is, and is above zero. The message begins with the field, prefixed by `path`.
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
  source: CreditSource
  deviceKind: DeviceKind | null
}

/** The device that a lesson was flown in; `kind` is null when it is not known. */
export interface LessonDevice {
  kind: DeviceKind | null
}

/** The clocks whose time counts as simulator time when it is logged in a device: 14 CFR 61.51(g)(4). */
const ofInstruments: readonly (Clock | null)[] = ['actual_instrument', 'simulated_instrument', 'instrument']

/**
 * Returns the entries that signing a record posts: for each credit of its lesson the reading of the credit's clock, or
 * the fixed count. A reading of 0 posts nothing. Instrument time in a device is simulator time, so its source is
 * `simulator`.
 * Implements interface §Training record and ledger: POST sign.
 */
export function postingsOf(
  credits: readonly LessonCredit[],
  readings: Readonly<Record<Clock, number>>,
  device: LessonDevice | null = null,
): Posting[] {
  return credits.flatMap(({ requirementId, clock, count }) => {
    const shown = clock === null ? count : readings[clock]
    if (!shown) return []
    const counted = clock === null || isCounting(clock)
    const amount = counted ? { tenths: null, count: shown } : { tenths: tenths(shown), count: null }
    return [{ requirementId, ...amount, clock, ...originOf(clock, device) }]
  })
}

/**
 * Returns the source of credit from a clock: `simulator` for instrument time in a device, otherwise `lesson`. Also
 * returns the kind of the device for time in a device; null for other time, or when the kind is not known. Implements
 * interface §Training record and ledger: POST sign.
 */
export function originOf(clock: Clock | null, device: LessonDevice | null): Pick<Posting, 'source' | 'deviceKind'> {
  const instruments = device !== null && ofInstruments.includes(clock)
  const inDevice = instruments || clock === 'simulator'
  return { source: instruments ? 'simulator' : 'lesson', deviceKind: inDevice ? (device?.kind ?? null) : null }
}

/**
 * Returns the clock of an overridden credit: the clock from which the lesson credits the requirement; without one,
 * `simulator` for a simulator lesson and null for other lessons. An override therefore cannot bypass the simulator
 * ceiling. Implements interface §Training record and ledger: POST sign.
 */
export function clockOfOverride(
  requirementId: number,
  lesson: { kind: string; credits: readonly LessonCredit[] },
): Clock | null {
  const own = lesson.credits.filter((credit) => credit.requirementId === requirementId && credit.clock !== null)
  if (own.some((credit) => credit.clock === 'simulator')) return 'simulator'
  return own[0]?.clock ?? (lesson.kind === 'sim' ? 'simulator' : null)
}
