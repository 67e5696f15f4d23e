import type { MaintenanceScope } from '../resources/resource.rules.ts'
import type { Limit } from './maintenance-item.rules.ts'

/** What is kept of a deferral; a squawk that is not deferred has none of it. */
export interface Deferral {
  /** The last local day, YYYY-MM-DD; null has no end. */
  deferredUntil: string | null
  /** The item of the minimum equipment list, or the paragraph of 14 CFR 91.213(d). */
  deferralReference: string | null
  /** The item is marked "Inoperative" (91.213(d)(3)(ii)). */
  placarded: boolean
}

const none: Deferral = { deferredUntil: null, deferralReference: null, placarded: false }

type Status = 'open' | 'in_progress' | 'deferred' | 'resolved'

/**
 * Returns the deferral of a squawk after a change: what is left out stays while it is deferred, and nothing of it once it
 * is not.
 */
export function deferralAfter(stored: Deferral, status: Status, changes: Partial<Deferral>): Deferral {
  return status === 'deferred' ? { ...stored, ...changes } : none
}

/** Decides whether a deferral has ended: its last local day is over. */
export function isDeferralOver(deferredUntil: string | null | undefined, today: string): boolean {
  return typeof deferredUntil === 'string' && deferredUntil < today
}

/** What decides whether a squawk holds its resource. */
interface SquawkFacts {
  title: string
  severity: 'observation' | 'grounding'
  status: Status
  deferredUntil: string | null
  /** An inspection was completed without a decision on it. */
  deferralEnded: boolean
}

/**
 * Returns why a squawk holds its resource, or null: a grounding one while it is open or in progress; any once its deferral
 * has ended, until it is resolved or deferred again: on its day, or with an inspection that passed it over (14 CFR 91.213,
 * 91.405(c)).
 */
export function squawkHold(squawk: SquawkFacts, today: string): string | null {
  const { title, severity, status, deferredUntil, deferralEnded } = squawk
  if (status === 'deferred') {
    if (isDeferralOver(deferredUntil, today)) return `Deferred until ${deferredUntil}: ${title}`
    return deferralEnded ? `Deferred, and not inspected: ${title}` : null
  }
  return status !== 'resolved' && severity === 'grounding' ? `Open squawk: ${title}` : null
}

/** What decides whether a maintenance item is an inspection. */
interface Inspection {
  grounding: boolean
  scope: MaintenanceScope
  limits: readonly Pick<Limit, 'intervalMonths' | 'intervalDays' | 'interval'>[]
}

/**
 * Decides whether deferred items are repaired, replaced, removed or inspected with a maintenance item (14 CFR 91.405(c)):
 * with one that comes again, and without which the aircraft, or instruction in it, is held.
 */
export function asksForDeferred({ grounding, scope, limits }: Inspection): boolean {
  const recurs = limits.some(({ intervalMonths, intervalDays, interval }) => intervalMonths ?? intervalDays ?? interval)
  return grounding && scope !== 'ifr' && recurs
}
