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
interface Standing {
  title: string
  severity: 'observation' | 'grounding'
  status: Status
  deferredUntil: string | null
}

/**
 * Returns why a squawk holds its resource, or null: a grounding one while it is open or in progress; any once its deferral
 * has ended, until it is resolved or deferred again (14 CFR 91.213).
 */
export function squawkHold({ title, severity, status, deferredUntil }: Standing, today: string): string | null {
  if (status === 'deferred') {
    return isDeferralOver(deferredUntil, today) ? `Deferred until ${deferredUntil}: ${title}` : null
  }
  return status !== 'resolved' && severity === 'grounding' ? `Open squawk: ${title}` : null
}
