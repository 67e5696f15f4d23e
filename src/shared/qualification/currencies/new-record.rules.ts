import { qualificationErrors } from '../qualification.errors.ts'
import { type CurrencyKind, countedKinds, expiryOf } from './currency.rules.ts'
import type { RecordedDates } from './currency-state.rules.ts'
import type { MedicalClass } from './medical.rules.ts'

/** The dates in a request: `completedAt` and an end, or the class and examination of a medical. */
export interface GivenDates {
  completedAt?: Date | undefined
  /** Null: never expires; absent: the rule's own period applies. */
  expiresAt?: Date | null | undefined
  class?: MedicalClass | undefined
  examinedAt?: Date | undefined
  /** The online course, for BasicMed. */
  courseAt?: Date | null | undefined
}

export type NewRecord = Omit<RecordedDates, 'id' | 'endedOn'>

/** Returns the dates to record for a currency. Implements interface §Currencies. */
export function recordedDates(
  rule: { kind: CurrencyKind; validCalendarMonths?: number | null | undefined },
  given: GivenDates,
  now: Date,
  zone: string,
): NewRecord {
  if (countedKinds.includes(rule.kind)) throw qualificationErrors.countedFromFlights()
  if (rule.kind === 'medical') return medicalDates(given, now)
  for (const field of ['class', 'examinedAt', 'courseAt'] as const) {
    if (given[field] != null) throw qualificationErrors.recordFieldOfMedical({ field })
  }
  const completedAt = past('completedAt', given.completedAt, now)
  const record = { completedAt, medicalClass: null, courseAt: null }
  if (rule.kind === 'expiring') return { ...record, expiresAt: givenEnd(rule, given, completedAt, zone) }
  if (given.expiresAt !== undefined) throw qualificationErrors.endOfRegulation()
  return { ...record, expiresAt: null }
}

/**
 * Returns the dates of a medical. Its examination is stored as `completedAt`; a request may send it as `examinedAt` or
 * `completedAt`.
 */
function medicalDates(given: GivenDates, now: Date): NewRecord {
  if (given.class === undefined) throw qualificationErrors.recordFieldMissing({ field: 'class' })
  if (given.expiresAt !== undefined) throw qualificationErrors.endOfRegulation()
  const completedAt = past('examinedAt', given.examinedAt ?? given.completedAt, now)
  if (given.class !== 'basic' && given.courseAt != null) throw qualificationErrors.courseOfBasicMed()
  const courseAt = given.class === 'basic' ? past('courseAt', given.courseAt ?? undefined, now) : null
  return { completedAt, expiresAt: null, medicalClass: given.class, courseAt }
}

function past(field: string, given: Date | undefined, now: Date): Date {
  if (given === undefined) throw qualificationErrors.recordFieldMissing({ field })
  if (given > now) throw qualificationErrors.dateInFuture({ field })
  return given
}

function givenEnd(
  { validCalendarMonths }: { validCalendarMonths?: number | null | undefined },
  given: GivenDates,
  completedAt: Date,
  zone: string,
): Date | null {
  if (given.expiresAt === undefined) {
    const end = expiryOf(completedAt, validCalendarMonths ?? null, zone)
    if (end === null) throw qualificationErrors.expiryMissing()
    return end
  }
  if (given.expiresAt && given.expiresAt <= completedAt) throw qualificationErrors.expiresBeforeCompleted()
  return given.expiresAt
}
