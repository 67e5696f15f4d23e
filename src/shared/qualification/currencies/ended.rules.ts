import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { qualificationErrors } from '../qualification.errors.ts'

/** The most days for which somebody can end a currency in the past. */
export const END_DAYS_BACK = 60

/**
 * Checks the local day on which a currency is ended: not in the future, at most `END_DAYS_BACK` days ago, and not before the
 * day of the recorded dates. Implements interface §Currencies.
 */
export function assertEndsOn(on: string, completedAt: Date, now: Date, zone: string): void {
  assertHasEnded('on', on, completedAt, now, zone)
  if (on < addDays(localDate(now, zone), -END_DAYS_BACK)) throw qualificationErrors.endTooOld({ days: END_DAYS_BACK })
}

/** Checks that a currency ended between the day of its recorded dates and today. */
export function assertHasEnded(field: string, on: string, completedAt: Date, now: Date, zone: string): void {
  const recordedOn = localDate(completedAt, zone)
  if (on > localDate(now, zone)) throw qualificationErrors.dateInFuture({ field })
  if (on < recordedOn) throw qualificationErrors.endBeforeRecord({ field, date: recordedOn })
}

/**
 * Returns whether new dates begin an ended currency again: when their day is after the day of the end. Implements interface
 * §Currencies.
 */
export function beginsAgain(completedAt: Date, endedOn: string, zone: string): boolean {
  return localDate(completedAt, zone) > endedOn
}
