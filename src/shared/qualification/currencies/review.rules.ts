import { monthEndAfter, monthStartBefore } from '../../platform/kernel/zones.ts'
import type { Recency, RenewingCheck } from './recency.types.ts'

/** The calendar months for which a flight review (14 CFR 61.56(c)) or an instructor's renewal (61.197(a)) counts. */
const MONTHS = 24

/** A renewal in the month of the end, or in this many calendar months before it, extends the end: 14 CFR 61.197(b). */
const RENEWAL_MONTHS = 3

/** A current solo endorsement of a student pilot, and the last local day on which it is valid. */
export interface SoloEndorsement {
  id: number
  at: Date
  validUntil: string
}

/**
 * Returns the last day on which a pilot may act as pilot in command by flight review: the end of the 24th calendar
 * month after the latest flight review, or after a practical test, proficiency check or phase of WINGS that replaces
 * one. A student pilot needs none while a solo endorsement is valid. Implements 14 CFR 61.56(c), (d), (e) and (g).
 */
export function flightReviewRecency(checks: readonly RenewingCheck[], solo: SoloEndorsement | null): Recency {
  const latest = checks.reduce<RenewingCheck | null>((a, b) => (a && a.day >= b.day ? a : b), null)
  const reviewed = latest && monthEndAfter(latest.day, MONTHS)
  if (solo && (reviewed === null || solo.validUntil > reviewed)) {
    const { id, at, validUntil } = solo
    return { validUntil, evidence: [{ kind: 'endorsement', id, at, counted: null }], needs: [reviewBy(validUntil)] }
  }
  const evidence = latest ? [{ kind: latest.kind, id: latest.id, at: latest.at, counted: null }] : []
  return { validUntil: reviewed, evidence, needs: [reviewBy(reviewed)] }
}

function reviewBy(by: string | null) {
  return { action: 'review' as const, count: null, by }
}

/**
 * Returns the last day of an instructor's recent experience after a renewal. A renewal in the month of the current end, or in
 * the three calendar months before, extends that end by 24 calendar months. Otherwise it is 24 calendar months after the
 * renewal. Implements 14 CFR 61.197(a) and (b).
 */
export function renewedInstructorEnd(end: string | null, completedOn: string): string {
  const early = end !== null && completedOn <= end && completedOn >= monthStartBefore(end, RENEWAL_MONTHS)
  return monthEndAfter(early ? end : completedOn, MONTHS)
}

/** The facts on an instructor's certificate: the end in the profile, and the latest recorded renewal. */
export interface InstructorCertificateFacts {
  /** The `validUntil` of the instructor certificate; null when the profile has none. */
  profileEnd: string | null
  record: (RenewingCheck & { validUntil: string | null }) | null
}

/**
 * Returns the last day on which an instructor may exercise the privileges of the certificate: the latest of the end in
 * the profile, the recorded end and the end after the recorded renewal. Implements 14 CFR 61.197.
 */
export function instructorRecency({ profileEnd, record }: InstructorCertificateFacts): Recency {
  const ends = [profileEnd, record?.validUntil, record && renewedInstructorEnd(profileEnd, record.day)]
  const validUntil = ends.reduce<string | null>((a, b) => (b && (a === null || b > a) ? b : a), null)
  const evidence = record ? [{ kind: record.kind, id: record.id, at: record.at, counted: null }] : []
  return { validUntil, evidence, needs: [{ action: 'record', count: null, by: validUntil }] }
}
