import { monthEndAfter, monthStartBefore } from '../../platform/kernel/zones.ts'
import type { Recency, RenewingCheck } from './recency.types.ts'

/** The calendar months of 14 CFR 61.56(c) and of 61.197(a). */
const MONTHS = 24

/** The last three calendar months before the month in which an instructor's recent experience ends, and that month. */
const RENEWAL_MONTHS = 3

/** A current solo endorsement of a student pilot, and its last good local day. */
export interface SoloEndorsement {
  id: number
  at: Date
  validUntil: string
}

/**
 * Returns how long a pilot may act as pilot in command by their flight review: to the end of the 24th calendar month after
 * the latest of the flight reviews, and of the practical tests, proficiency checks and phases of WINGS that satisfy it. A
 * student pilot needs none while a solo endorsement is valid. Implements 14 CFR 61.56(c), (d), (e) and (g).
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
 * Returns the last day of an instructor's recent experience after it was renewed on a day: done in the month in which it
 * ends or the three calendar months before, 24 calendar months are added to that end, else to the day.
 * Implements 14 CFR 61.197(a) and (b).
 */
export function renewedInstructorEnd(end: string | null, completedOn: string): string {
  const early = end !== null && completedOn <= end && completedOn >= monthStartBefore(end, RENEWAL_MONTHS)
  return monthEndAfter(early ? end : completedOn, MONTHS)
}

/** What is known of an instructor's certificate: the end that the profile names, and the latest renewal on record. */
export interface InstructorCertificateFacts {
  /** `expiresAt` of the certificate, or the end of recent experience; null when the profile names none. */
  profileEnd: string | null
  record: (RenewingCheck & { validUntil: string | null }) | null
}

/** Returns how long an instructor may exercise the privileges of the certificate. Implements 14 CFR 61.197. */
export function instructorRecency({ profileEnd, record }: InstructorCertificateFacts): Recency {
  const ends = [profileEnd, record?.validUntil, record && renewedInstructorEnd(profileEnd, record.day)]
  const validUntil = ends.reduce<string | null>((a, b) => (b && (a === null || b > a) ? b : a), null)
  const evidence = record ? [{ kind: record.kind, id: record.id, at: record.at, counted: null }] : []
  return { validUntil, evidence, needs: [{ action: 'record', count: null, by: validUntil }] }
}
