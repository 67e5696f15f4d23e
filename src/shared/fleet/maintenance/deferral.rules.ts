import type { MaintenanceScope } from '../resources/resource.rules.ts'
import type { Limit } from './maintenance-item.rules.ts'

/**
 * The operations that a deferral can exclude while the equipment is inoperative (14 CFR 91.205, 91.213(d)).
 * `for_hire_or_instruction` has the same meaning as for a 100-hour inspection (91.409(b)).
 */
export const excludedOperations = ['night', 'ifr', 'for_hire_or_instruction', 'night_for_hire_or_instruction'] as const
export type ExcludedOperation = (typeof excludedOperations)[number]

/** The fields of a deferral. A squawk that is not deferred has the empty values. */
export interface Deferral {
  /** The last local day, YYYY-MM-DD; null: it has no end. */
  deferredUntil: string | null
  /** The item of the minimum equipment list, or the paragraph of 14 CFR 91.213(d). */
  deferralReference: string | null
  /** The item is marked "Inoperative" (91.213(d)(3)(ii)). */
  placarded: boolean
  /** The operations that are not allowed with the aircraft during the deferral. */
  excludedOperations: readonly ExcludedOperation[]
}

const none: Deferral = { deferredUntil: null, deferralReference: null, placarded: false, excludedOperations: [] }

type Status = 'open' | 'in_progress' | 'deferred' | 'resolved'

/**
 * Returns the fields of a squawk's deferral after a change. While the squawk is deferred, absent fields stay; otherwise
 * all fields are emptied.
 * Implements 14 CFR 91.213(d).
 */
export function deferralAfter(stored: Deferral, status: Status, changes: Partial<Deferral>): Deferral {
  return status === 'deferred' ? { ...stored, ...changes } : none
}

/**
 * Returns whether the last local day of a deferral is past. Days are YYYY-MM-DD; a deferral without a last day is never
 * over.
 * Implements docs/decisions/0024.
 */
export function isDeferralOver(deferredUntil: string | null | undefined, today: string): boolean {
  return typeof deferredUntil === 'string' && deferredUntil < today
}

/** The facts that decide whether a squawk holds its resource. */
interface SquawkFacts {
  title: string
  severity: 'observation' | 'grounding'
  status: Status
  deferredUntil: string | null
  /**
   * Whether the deferral was ended: its last day is past, or an inspection was completed without a decision on the
   * squawk.
   */
  deferralEnded: boolean
}

/**
 * Returns the reason why a squawk holds its resource; null when it does not. A grounding squawk holds while it is open
 * or in progress. A deferred squawk of any severity holds once its last day is past, or after an inspection without a
 * decision on it, until it is resolved or deferred again.
 * Implements 14 CFR 91.213 and 91.405(c).
 */
export function squawkHold(squawk: SquawkFacts, today: string): string | null {
  const { title, severity, status, deferredUntil, deferralEnded } = squawk
  if (status === 'deferred') {
    if (isDeferralOver(deferredUntil, today)) return `Deferred until ${deferredUntil}: ${title}`
    return deferralEnded ? `Deferred, and not inspected: ${title}` : null
  }
  return status !== 'resolved' && severity === 'grounding' ? `Open squawk: ${title}` : null
}

/** The facts that decide whether a maintenance item is an inspection. */
interface Inspection {
  grounding: boolean
  scope: MaintenanceScope
  limits: readonly Pick<Limit, 'intervalMonths' | 'intervalDays' | 'interval'>[]
}

/**
 * Returns whether a maintenance item is an inspection: it recurs, and when it is overdue, it grounds the aircraft or
 * holds its bookings for hire or instruction. When an inspection is completed, every deferred squawk needs a decision.
 * Implements 14 CFR 91.405(c) and docs/decisions/0024.
 */
export function asksForDeferred({ grounding, scope, limits }: Inspection): boolean {
  const recurs = limits.some(({ intervalMonths, intervalDays, interval }) => intervalMonths ?? intervalDays ?? interval)
  return grounding && scope !== 'ifr' && recurs
}
