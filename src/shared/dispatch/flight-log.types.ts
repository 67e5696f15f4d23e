import type { ReservationType, ResourceKind, Side } from '../fleet/resources/reservation-types.rules.ts'
import type { Tenths } from '../platform/kernel/units.ts'

/** The times of a log, in tenths of hours. */
export const loggedTimes = [
  'pic',
  'solo',
  'dualReceived',
  'instruction',
  'crossCountry',
  'night',
  'actualInstrument',
  'simulatedInstrument',
  'simulator',
] as const
export type LoggedTime = (typeof loggedTimes)[number]

/** The counts of a log. A landing counts either by day or by night; full stops are counted among the landings. */
export const loggedCounts = [
  'dayTakeoffs',
  'dayLandings',
  'dayFullStops',
  'nightTakeoffs',
  'nightLandings',
  'nightFullStops',
  'holds',
] as const
export type LoggedCount = (typeof loggedCounts)[number]

/** Approaches of one kind at one airport, by reference to instruments: 14 CFR 61.51(g)(3). */
export interface Approach {
  kind: string
  count: number
  airport: string | null
}

/** The figures that one person logs for a flight. */
export type LogFigures = Record<LoggedTime, Tenths> &
  Record<LoggedCount, number> & { approaches: Approach[]; route: string | null; remarks: string | null }

/** The log figures of one person. */
export interface LogEntry extends LogFigures {
  orgUserId: number
}

/** The facts of a booking that a log is checked against. */
export interface LoggedFlight {
  type: ReservationType
  resource: ResourceKind
  /** The time of the flight or device, in tenths of hours. */
  total: Tenths
  seats: readonly { side: Side; orgUserId: number | null }[]
}
