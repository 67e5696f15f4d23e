import { readingToNumber } from '../../platform/kernel/hours.ts'
import { type Hundredths, hundredths, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { type LimitInput, limitFrom } from './limit-fields.rules.ts'
import { type Limit, type MeterBasis, type MeterReadings, meterBases } from './maintenance-item.rules.ts'

/** What a completion changed, so that it can be undone. */
export interface BeforeCompletion {
  /** The limits of the completed item before. */
  limits: StoredLimit[]
  /** The items that it satisfied, each with its completion and its limits before. */
  satisfied: { completionId: number; reminderId: number; limits: StoredLimit[] }[]
  /** The ids of the squawks whose deferrals it ended. */
  endedSquawkIds: number[]
}

/** A limit in JSON. */
type StoredLimit = Omit<Limit, 'lastDoneAt' | 'dueAt'> & Record<'lastDoneAt' | 'dueAt', string | null>

/** A reading of a completion that looks like a typo; readings in hours, or in landings. */
export interface CompletionAnomaly {
  meter: MeterBasis
  kind: 'above_aircraft' | 'below_last_completion'
  reading: number
  /** The present reading of the aircraft, or the reading of the last completion. */
  compared: number
}

/** How far a completion's reading may be above that of the aircraft: flights that were not recorded yet. */
const ABOVE = hundredths(10)

/**
 * Returns why the given readings of a completion look like typos: a reading is more than 0.1 above the present one of the aircraft, or
 * below the one of the last completion. A reading that is null, or has nothing to be compared with, is plausible. While the aircraft
 * is out, its present reading is that of its last ramp-in.
 */
export function completionAnomalies(
  given: Partial<MeterReadings>,
  aircraft: MeterReadings,
  last: Partial<MeterReadings>,
): CompletionAnomaly[] {
  return meterBases.flatMap((meter) => {
    const reading = given[meter] ?? null
    if (reading === null) return []
    const figures = (compared: Hundredths) => ({
      meter,
      reading: readingToNumber(reading),
      compared: readingToNumber(compared),
    })
    const present = aircraft[meter]
    const before = last[meter] ?? null
    const anomalies: CompletionAnomaly[] = []
    if (present !== null && minus(reading, present) > ABOVE) {
      anomalies.push({ kind: 'above_aircraft', ...figures(present) })
    }
    if (before !== null && reading < before) anomalies.push({ kind: 'below_last_completion', ...figures(before) })
    return anomalies
  })
}

/**
 * Returns why the readings of the last completion in the given limits of an item look like typos, as `completionAnomalies` does. A
 * reading that is stored already is plausible.
 */
export function lastDoneAnomalies(
  given: readonly Pick<LimitInput, 'basis' | 'lastDoneReading'>[],
  aircraft: MeterReadings,
  stored: readonly Pick<Limit, 'basis' | 'lastDone'>[],
): CompletionAnomaly[] {
  return meterBases.flatMap((meter) => {
    const reading = given.find(({ basis }) => basis === meter)?.lastDoneReading ?? null
    const last = stored.find(({ basis }) => basis === meter)?.lastDone ?? null
    return reading === last ? [] : completionAnomalies({ [meter]: reading }, aircraft, { [meter]: last })
  })
}

/** Where an undone interval counts from: the present time and meters, the aircraft's zone, and how far each meter was shifted since. */
interface Undone {
  now: Date
  meters: MeterReadings
  zone: string
  /** The new reading minus the old one of the meters that were replaced after the completion. */
  shifts: Partial<Record<MeterBasis, Hundredths>>
}

/**
 * Returns the limits of an item after its completion is undone. Each limit has the last completion and the due date or reading from
 * before; readings follow a meter that was replaced since, and the hours of use since the completion are added. When the interval was
 * changed since, the due date or reading is counted again. A limit that was added since stays as it is.
 */
export function limitsUndone(present: readonly Limit[], before: readonly StoredLimit[], at: Undone): Limit[] {
  return present.map((limit) => {
    const stored = before.find(({ basis }) => basis === limit.basis)
    if (!stored) return limit
    const was = shifted(stored, at.shifts)
    if (limit.basis === 'use')
      return { ...limit, lastDoneAt: was.lastDoneAt, used: plus(was.used ?? ZERO, limit.used ?? ZERO) }
    const { basis, intervalMonths, intervalDays, interval } = limit
    if (intervalMonths === was.intervalMonths && intervalDays === was.intervalDays && interval === was.interval)
      return was
    const inLandings = interval === null ? null : Math.trunc(interval / 100)
    const intervals = {
      calendar: { intervalMonths, intervalDays },
      landings: { intervalCount: inLandings },
      hobbs: { intervalHours: interval },
      tach: { intervalHours: interval },
    }
    return limitFrom({ basis, ...intervals[basis] }, was, at)
  })
}

function shifted({ lastDoneAt, dueAt, ...stored }: StoredLimit, shifts: Undone['shifts']): Limit {
  const shift = stored.basis === 'calendar' || stored.basis === 'use' ? ZERO : (shifts[stored.basis] ?? ZERO)
  const moved = (reading: Hundredths | null) => (reading === null ? null : plus(reading, shift))
  const instant = (text: string | null) => (text === null ? null : new Date(text))
  return {
    ...stored,
    lastDoneAt: instant(lastDoneAt),
    lastDone: moved(stored.lastDone),
    dueAt: instant(dueAt),
    due: moved(stored.due),
  }
}
