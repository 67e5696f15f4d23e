import { addDays, monthEndAfter, monthStartBefore } from '../../platform/kernel/zones.ts'
import type { Evidence, Need, PilotFlight, Recency, RenewingCheck } from './recency.types.ts'

/**
 * 14 CFR 61.57(c)(1) requires `APPROACHES` in `MONTHS` calendar months. After a lapse practice counts for `GRACE_MONTHS`
 * more, 61.57(d).
 */
const APPROACHES = 6
const MONTHS = 6
const GRACE_MONTHS = 6

/** The instrument recency of a pilot. */
export interface InstrumentRecency extends Recency {
  /** The last day on which the pilot's own practice restores it; after it only a proficiency check does. */
  graceUntil: string | null
}

/**
 * Returns the last day on which a pilot may act as pilot in command under IFR in a category of aircraft, from flights and
 * proficiency checks up to a local day. The pilot needs six approaches and holding within the six calendar months before the
 * month of the flight, in the category or in a simulator or training device. A logged approach includes intercepting and
 * tracking. After six more calendar months without them, only an instrument proficiency check restores the recency.
 * Implements 14 CFR 61.57(c) and (d).
 */
export function instrumentRecency(
  category: string,
  flights: readonly PilotFlight[],
  checks: readonly RenewingCheck[],
  today: string,
): InstrumentRecency {
  const practice = flights.filter(({ aircraft, day, approaches, holds }) => {
    const serves = aircraft.category === null || aircraft.category === category
    return serves && day <= today && approaches + holds > 0
  })
  const passed = checks.filter(({ day }) => day <= today)
  const validUntil = lastGoodDay(practice, passed)
  const graceUntil = validUntil && monthEndAfter(validUntil, GRACE_MONTHS)
  return {
    validUntil,
    graceUntil,
    evidence: evidenceOf(practice, passed, validUntil),
    needs: needsOn(practice, { validUntil, graceUntil }, today),
  }
}

/**
 * Returns the last day on which the pilot is current. Goes through the days of practice and checks in order. Practice counts
 * when the pilot was never current before, or until `GRACE_MONTHS` calendar months after the pilot was last current; a check
 * always counts.
 */
function lastGoodDay(practice: readonly PilotFlight[], checks: readonly RenewingCheck[]): string | null {
  const checkDays = new Set(checks.map(({ day }) => day))
  const days = [...new Set([...practice.map(({ day }) => day), ...checkDays])].sort()
  let last: string | null = null
  for (const day of days) {
    const restorable: boolean = last === null || day <= monthEndAfter(last, GRACE_MONTHS)
    const ends: (string | null)[] = [
      checkDays.has(day) ? monthEndAfter(day, MONTHS) : null,
      restorable ? experienceEnd(practice.filter((flight) => flight.day <= day)) : null,
    ]
    for (const end of ends) if (end !== null && end >= day && (last === null || end > last)) last = end
  }
  return last
}

/**
 * Returns the end of the sixth calendar month after the oldest approach or hold that is needed; null when there is not enough
 * practice.
 */
function experienceEnd(practice: readonly PilotFlight[]): string | null {
  const oldest = oldestNeeded(practice)
  return oldest && monthEndAfter(oldest, MONTHS)
}

function oldestNeeded(practice: readonly PilotFlight[]): string | null {
  const latestFirst = [...practice].sort((a, b) => (a.day < b.day ? 1 : -1))
  const hold = latestFirst.find(({ holds }) => holds > 0)?.day
  let approaches = 0
  for (const flight of latestFirst) {
    approaches += flight.approaches
    if (approaches >= APPROACHES) return hold === undefined ? null : hold < flight.day ? hold : flight.day
  }
  return null
}

/**
 * Returns the practice that is missing today or, for a current pilot, on the day after `validUntil`. After `graceUntil`,
 * returns a check.
 */
function needsOn(
  practice: readonly PilotFlight[],
  { validUntil, graceUntil }: { validUntil: string | null; graceUntil: string | null },
  today: string,
): Need[] {
  if (graceUntil !== null && today > graceUntil) return [{ action: 'check', count: null, by: null }]
  const good = validUntil !== null && validUntil >= today
  const since = monthStartBefore(good ? addDays(validUntil, 1) : today, MONTHS)
  const recent = practice.filter(({ day }) => day >= since)
  const approaches = APPROACHES - recent.reduce((sum, flight) => sum + flight.approaches, 0)
  const by = good ? validUntil : graceUntil
  return [
    ...(approaches > 0 ? [{ action: 'approaches' as const, count: approaches, by }] : []),
    ...(recent.some(({ holds }) => holds > 0) ? [] : [{ action: 'holding' as const, count: 1, by }]),
  ]
}

/** Returns the evidence for `validUntil`: the check that sets it, or else the flights with the approaches and the hold. */
function evidenceOf(
  practice: readonly PilotFlight[],
  checks: readonly RenewingCheck[],
  validUntil: string | null,
): Evidence[] {
  const check = checks.find(({ day }) => monthEndAfter(day, MONTHS) === validUntil)
  if (check) return [{ kind: check.kind, id: check.id, at: check.at, counted: null }]
  let approaches = APPROACHES
  let held = false
  return [...practice]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .flatMap((flight): Evidence[] => {
      const counted = Math.min(flight.approaches, approaches)
      if (counted === 0 && (held || flight.holds === 0)) return []
      approaches -= counted
      held ||= flight.holds > 0
      return [{ kind: 'flight', id: flight.id, at: flight.at, counted }]
    })
}
