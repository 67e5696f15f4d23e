import { type BasisPoints, basisPoints } from '../../platform/kernel/units.ts'
import { addDays, endOfMonthAfter, localDate } from '../../platform/kernel/zones.ts'
import {
  creditedInDevices,
  type DeviceCeiling,
  type DeviceKind,
  type DeviceLimit,
} from '../courses/device-ceilings.rules.ts'
import type { Clock, RequirementMeasure } from '../courses/syllabus.rules.ts'

/** The sources of credit. `manual` requires notes. */
export const creditSources = ['lesson', 'transfer_141', 'transfer_61', 'simulator', 'manual'] as const
export type CreditSource = (typeof creditSources)[number]

/** The measure and the limits of a requirement. Ceilings are basis points of its minimum. */
export interface RequirementTerms extends RequirementMeasure {
  maxSimulatorBps: BasisPoints | null
  maxTransferBps: BasisPoints | null
  recencyCalendarMonths: number | null
  recencyDays?: number | null
  /** Ceilings for some kinds of device, in addition to `maxSimulatorBps` for all kinds together. */
  deviceCeilings?: readonly DeviceCeiling[]
  /** Limits of the course, in tenths of hours; they apply only to requirements in hours. */
  courseLimits?: readonly DeviceLimit[]
}

/** A credit entry. `amount` is tenths of hours or a count, and negative for a reversal. */
export interface CreditFact {
  id: number
  amount: number
  source: CreditSource
  clock: Clock | null
  /** The kind of simulator or training device; null for an aircraft, or when it is not known. */
  deviceKind?: DeviceKind | null | undefined
  occurredAt: Date
  reversesId: number | null
}

/** The progress in a requirement, in tenths of hours or as a count. Disallowed credit is split by reason. */
export interface RequirementProgress {
  required: number
  credited: number
  disallowed: { simulator: number; transfer: number; stale: number }
  remaining: number
  met: boolean
}

const WHOLE = 10_000
/**
 * The transfer ceilings of 14 CFR 141.77(c), for a requirement without its own: half of the minimum from a Part 141
 * course, a quarter from other training.
 */
const usualTransferBps = { transfer_141: basisPoints(5000), transfer_61: basisPoints(2500) }

/**
 * Returns the progress in a requirement. Reversed entries and their reversals do not count. Credit is disallowed in
 * this order: (1) credit older than the recency window, which is in local days or in calendar months and then ends with
 * a month; (2) credit above the transfer ceiling; (3) device time above the device ceilings of the requirement or of
 * the course, whichever allow less. Device time is simulator entries and the simulator time of lessons. Ceilings are
 * rounded down to whole tenths.
 * Implements interface §Training: requirements. 14 CFR 61.65(h) to (j), 61.109(k), 61.129(i), 141.77(c), 141 Appendix
 * B, section 4(c).
 */
export function requirementProgress(
  terms: RequirementTerms,
  entries: readonly CreditFact[],
  at: { now: Date; zone: string },
): RequirementProgress {
  const required = terms.minTenths ?? terms.minCount ?? 0
  const reversed = new Set(entries.map((entry) => entry.reversesId))
  const valid = entries.filter((entry) => entry.reversesId === null && !reversed.has(entry.id))
  const fresh = valid.filter((entry) => !isStale(entry, terms, at))
  const transfer = beyondTransfer(terms, required, fresh)
  const simulated = fresh.filter(isSimulated)
  const ofCourse = terms.minTenths == null ? [] : (terms.courseLimits ?? [])
  const credits = [deviceLimits(terms, required), ofCourse].map((limits) => creditedInDevices(simulated, limits))
  const simulator = amountOf(simulated) - Math.min(...credits)
  const credited = amountOf(fresh) - transfer - simulator
  return {
    required,
    credited,
    disallowed: { simulator, transfer, stale: amountOf(valid) - amountOf(fresh) },
    remaining: Math.max(0, required - credited),
    met: credited >= required,
  }
}

/**
 * Returns the instant at which recency windows are judged: the end of the enrollment, else the planned test while it is
 * in the future, else now.
 * Implements interface §Enrollment: `plannedTestAt`. 14 CFR 61.109(a)(4), 61.65(d)(2)(i).
 */
export function judgedAt(
  { endedAt, plannedTestAt }: { endedAt?: Date | null | undefined; plannedTestAt?: Date | null | undefined },
  now: Date,
): Date {
  if (endedAt) return endedAt
  return plannedTestAt && plannedTestAt > now ? plannedTestAt : now
}

/** The facts that decide whether a requirement is the total flight training of its course. */
export interface TotalCandidate extends RequirementMeasure {
  /** Whether a lesson credits it from a clock other than `ground`. */
  flown: boolean
}

/**
 * Returns the requirement that is the total flight training of a course: the largest requirement in hours that a lesson
 * credits from a clock other than `ground`; when there is none, the largest requirement in hours; undefined without
 * requirements in hours. 14 CFR 141 Appendices B to D.
 */
export function totalOf<Requirement extends TotalCandidate>(all: readonly Requirement[]): Requirement | undefined {
  const inHours = all.filter(({ minTenths }) => minTenths != null)
  const flown = inHours.filter((one) => one.flown)
  return (flown.length > 0 ? flown : inHours).reduce<Requirement | undefined>(
    (longest, one) => (longest && (longest.minTenths ?? 0) >= (one.minTenths ?? 0) ? longest : one),
    undefined,
  )
}

/**
 * Returns a share of a requirement's minimum, rounded down to whole tenths of hours or a whole count. Implements
 * interface §Training: requirements.
 */
export function ceiling(required: number, bps: BasisPoints): number {
  return Math.floor((required * bps) / WHOLE)
}

function deviceLimits({ deviceCeilings = [], maxSimulatorBps }: RequirementTerms, required: number) {
  const ofKinds = deviceCeilings.map(({ deviceKinds, bps }) => ({ deviceKinds, most: ceiling(required, bps) }))
  if (maxSimulatorBps === null) return ofKinds
  return [...ofKinds, { deviceKinds: null, most: ceiling(required, maxSimulatorBps) }]
}

function isStale(
  { occurredAt }: CreditFact,
  { recencyCalendarMonths: months, recencyDays: days }: RequirementTerms,
  { now, zone }: { now: Date; zone: string },
) {
  if (months !== null) return endOfMonthAfter(occurredAt, months, zone) < now
  return days != null && addDays(localDate(occurredAt, zone), days) < localDate(now, zone)
}

/**
 * Returns whether credit is for time in a device: a simulator entry, or the simulator time of a lesson. Implements
 * interface §Training: requirements.
 */
export function isSimulated({ source, clock }: CreditFact): boolean {
  return source === 'simulator' || (source === 'lesson' && clock === 'simulator')
}

/**
 * Returns the transfer credit above the ceiling: the ceiling of the requirement for both kinds of transfer together or,
 * when it has none, the usual ceiling of each kind.
 */
function beyondTransfer({ maxTransferBps }: RequirementTerms, required: number, entries: CreditFact[]): number {
  const of = (source: CreditSource) => amountOf(entries.filter((entry) => entry.source === source))
  if (maxTransferBps !== null) return beyond(of('transfer_141') + of('transfer_61'), required, maxTransferBps)
  return (['transfer_141', 'transfer_61'] as const).reduce(
    (sum, source) => sum + beyond(of(source), required, usualTransferBps[source]),
    0,
  )
}

function beyond(amount: number, required: number, bps: BasisPoints): number {
  return Math.max(0, amount - ceiling(required, bps))
}

function amountOf(entries: readonly CreditFact[]): number {
  return entries.reduce((sum, entry) => sum + entry.amount, 0)
}
