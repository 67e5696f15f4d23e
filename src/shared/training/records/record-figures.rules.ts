import type { LogFigures } from '../../dispatch/flight-log.types.ts'
import { plus, type Tenths, tenths, ZERO } from '../../platform/kernel/units.ts'
import type { Clock } from '../courses/syllabus.rules.ts'

/** The figures of a record that can be taken from the meters of its booking, in tenths of hours. */
export const meteredTimes = ['flightTenths', 'instructionTenths', 'simulatorTenths', 'groundTenths'] as const
type MeteredTime = (typeof meteredTimes)[number]

/** The figures of a record that can be taken only from a flight log, with their names in the log; tenths of hours. */
const loggedAs = {
  nightTenths: 'night',
  crossCountryTenths: 'crossCountry',
  actualInstrumentTenths: 'actualInstrument',
  simulatedInstrumentTenths: 'simulatedInstrument',
  picTenths: 'pic',
  soloTenths: 'solo',
} as const
type LoggedTime = keyof typeof loggedAs

/** The times of a record in tenths of hours, and its landings; null for a figure that the record does not have. */
export type RecordFigures = Record<MeteredTime | LoggedTime, Tenths | null> & { landings: number | null }

export const recordFigures = [...meteredTimes, ...(Object.keys(loggedAs) as LoggedTime[]), 'landings'] as const

/** The figures of a record or a request; some may be absent. */
export type GivenFigures = { [Name in keyof RecordFigures]?: RecordFigures[Name] | undefined }

/** Returns the figures of a record, with null for absent ones. */
export function figuresOf(record: GivenFigures): RecordFigures {
  return Object.fromEntries(recordFigures.map((name) => [name, record[name] ?? null])) as RecordFigures
}

/** The facts of the flight or lesson of a record: its kind and times, and the student's log. */
export interface FlownLesson {
  type: 'dual' | 'solo' | 'sim' | 'ground' | 'other'
  /** The time of the flight or device in tenths of hours; null before the ramp-in. */
  total: Tenths | null
  /** Ground time in tenths of hours. */
  briefing: Tenths | null
  log: LogFigures | null
}

/**
 * Returns the given figures, completed from the meters of the booking: flight and instruction time of a dual flight,
 * flight time of other flights, simulator time of a simulator booking, and ground time from the briefing of a dual
 * flight or ground lesson. A given figure does not change, even when it is 0.
 * Implements interface §Training record and ledger: POST /training/records.
 */
export function prefilled(given: GivenFigures, booking: FlownLesson): GivenFigures {
  const metered = Object.entries(meteredBy(booking)).filter(([name]) => given[name as MeteredTime] === undefined)
  return { ...given, ...Object.fromEntries(metered) }
}

/** Returns the times of a booking by its meters and briefing; none for a flight before the ramp-in. */
function meteredBy({ type, total, briefing }: FlownLesson): Partial<Record<MeteredTime, Tenths>> {
  const ground = briefing === null ? {} : { groundTenths: briefing }
  if (type === 'ground') return ground
  if (total === null) return {}
  if (type === 'sim') return { simulatorTenths: total }
  return { flightTenths: total, ...(type === 'dual' && { instructionTenths: total, ...ground }) }
}

/**
 * Returns the figures with which a record is signed. Figures that the record does not have are taken from the student's
 * log; a time from the log is at most the time of the flight. Without a log or a time of the flight they stay null.
 * Implements interface §Training record and ledger: POST sign.
 */
export function figuresToSign(record: GivenFigures, booking: FlownLesson | null): RecordFigures {
  const own = figuresOf(record)
  const { log = null, total = null } = booking ?? {}
  if (log === null || total === null) return own
  const times = Object.entries(loggedAs).map(([name, time]) => [
    name,
    own[name as LoggedTime] ?? tenths(Math.min(log[time], total)),
  ])
  return { ...own, ...Object.fromEntries(times), landings: own.landings ?? log.dayLandings + log.nightLandings }
}

/**
 * Returns each time of a record, in tenths of hours, and each count, such as its landings. `instrument` is actual plus simulated
 * instrument time. Counts other than landings are taken from the log; without a log they are 0. Implements interface
 * §Training record and ledger: POST sign, 14 CFR 61.51(b).
 */
export function clockReadings(figures: RecordFigures, log: LogFigures | null): Record<Clock, number> {
  const time = (name: Exclude<keyof RecordFigures, 'landings'>) => figures[name] ?? ZERO
  return {
    flight: time('flightTenths'),
    instruction: time('instructionTenths'),
    simulator: time('simulatorTenths'),
    ground: time('groundTenths'),
    night: time('nightTenths'),
    cross_country: time('crossCountryTenths'),
    actual_instrument: time('actualInstrumentTenths'),
    simulated_instrument: time('simulatedInstrumentTenths'),
    instrument: plus(time('actualInstrumentTenths'), time('simulatedInstrumentTenths')),
    pic: time('picTenths'),
    solo: time('soloTenths'),
    landings: figures.landings ?? 0,
    full_stops: log ? log.dayFullStops + log.nightFullStops : 0,
    night_takeoffs: log?.nightTakeoffs ?? 0,
    night_full_stops: log?.nightFullStops ?? 0,
    approaches: log?.approaches.reduce((sum, { count }) => sum + count, 0) ?? 0,
  }
}

/** A time that differs between a record and its booking, in tenths of hours. */
export interface Mismatch {
  clock: MeteredTime
  recorded: Tenths
  booked: Tenths
}

/** The largest difference between a record and its booking without a warning, in tenths of hours. */
export const TOLERATED_TENTHS = 2

/**
 * Returns the times in which a record differs from its booking by more than 0.2 hours.
 * Implements interface §Training record and ledger: warnings.
 */
export function mismatches(recorded: GivenFigures, booking: FlownLesson): Mismatch[] {
  return Object.entries(meteredBy(booking))
    .map(([name, booked]) => ({ clock: name as MeteredTime, recorded: recorded[name as MeteredTime] ?? ZERO, booked }))
    .filter(({ recorded: own, booked }) => Math.abs(own - booked) > TOLERATED_TENTHS)
}
