import type { RoleFlags } from '../platform/authz/roles.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import { formatTenths, tenthsBetween, tenthsFromHundredths } from '../platform/kernel/hours.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import { type Hundredths, minus, type Tenths } from '../platform/kernel/units.ts'
import { type Coordinates, touchesDark } from '../scheduling/rules/night.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { type LogEntry, type LoggedFlight, type LoggedTime, loggedCounts, loggedTimes } from './flight-log.types.ts'
import { hasCloseOutAuthority, type SignOffFacts } from './sign-off.rules.ts'
import { missingForRoute, type RouteEndorsement, type SoloFlight } from './solo-cross-country.rules.ts'

/** A figure of a log with the reason why it is refused or doubtful. */
export interface LogProblem {
  field: string
  message: Sentence
}

/**
 * The readings that give the time of a flight or device session: Hobbs in hundredths of an hour, briefing in tenths.
 */
export interface TimeSource {
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  briefing: Tenths | null
  start: Date
  end: Date
}

/**
 * Returns the time of a flight in tenths of an hour: the difference of its Hobbs readings, rounded half up as for billing. Without both
 * readings: the briefing, or else the booked time. Implements interface §Flight log.
 */
export function flightTotal({ hobbsOut, hobbsIn, briefing, start, end }: TimeSource): Tenths {
  if (hobbsOut !== null && hobbsIn !== null) return tenthsFromHundredths(minus(hobbsIn, hobbsOut))
  return briefing ?? tenthsBetween(start, end)
}

/** The times that are logged in a simulator or training device: 14 CFR 61.51(b)(2)(v) and (b)(3)(iii). */
const ofDevices: readonly LoggedTime[] = ['simulator', 'simulatedInstrument']

/** A contradiction in a log. `field` has no path; `asProblems` adds it. */
interface Contradiction {
  field: keyof LogEntry
  message(parameters: { field: string }): Sentence
}

/**
 * Returns the contradictions in a person's log: a time above the time of the flight, two times that exclude each other
 * and together exceed it, night takeoffs or landings without night time, more full stops than landings, solo time with
 * an instructor on board or on a booking that is not solo, training received without an instructor or by the
 * instructor, instruction by anyone but the booking's instructor; in a simulator, any figure but simulator time,
 * simulated instrument time, approaches and holds. There is at most one problem per figure; `path` is put before its field.
 * Implements interface §Flight log, 14 CFR 61.51(b), (d) and (h).
 */
export function logProblems(flight: LoggedFlight, log: LogEntry, path = ''): LogProblem[] {
  const contradictions =
    flight.resource === 'simulator'
      ? deviceProblems(log)
      : [...aircraftProblems(flight, log), ...landingProblems(log), ...sumProblems(flight, log)]
  return asProblems([...tooLong(flight, log), ...contradictions], path)
}

function tooLong({ total }: LoggedFlight, log: LogEntry): Contradiction[] {
  const message = ({ field }: { field: string }) =>
    dispatchErrors.logBeyondFlight({ field, total: formatTenths(total) })
  return loggedTimes.filter((time) => log[time] > total).map((field) => ({ field, message }))
}

function deviceProblems(log: LogEntry): Contradiction[] {
  const flown = [...loggedTimes.filter((time) => !ofDevices.includes(time)), ...loggedCounts].filter(
    (figure) => figure !== 'holds' && log[figure] > 0,
  )
  const beyond = { field: 'simulatedInstrument', message: dispatchErrors.logBeyondSimulator } as const
  return [
    ...flown.map((field) => ({ field, message: dispatchErrors.logInSimulator })),
    ...(log.simulatedInstrument > log.simulator ? [beyond] : []),
  ]
}

function aircraftProblems({ type, seats }: LoggedFlight, log: LogEntry): Contradiction[] {
  const taught = seats.some((seat) => seat.side === 'instructors')
  const teaches = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === log.orgUserId)
  return problemsWhere([
    [log.simulator > 0, 'simulator', dispatchErrors.logNoSimulator],
    [log.solo > 0 && taught, 'solo', dispatchErrors.logSoloTaught],
    [log.solo > 0 && type !== 'solo', 'solo', dispatchErrors.logNotSolo],
    [log.instruction > 0 && !teaches, 'instruction', dispatchErrors.logNotInstructor],
    [log.dualReceived > 0 && !taught, 'dualReceived', dispatchErrors.logUntaught],
    [log.dualReceived > 0 && teaches, 'dualReceived', dispatchErrors.logTaughtOneself],
  ])
}

function landingProblems(log: LogEntry): Contradiction[] {
  return problemsWhere([
    [log.nightTakeoffs > 0 && log.night === 0, 'nightTakeoffs', dispatchErrors.logNoNight],
    [log.nightLandings > 0 && log.night === 0, 'nightLandings', dispatchErrors.logNoNight],
    [log.dayFullStops > log.dayLandings, 'dayFullStops', dispatchErrors.logTooManyStops],
    [log.nightFullStops > log.nightLandings, 'nightFullStops', dispatchErrors.logTooManyStops],
  ])
}

/**
 * Pairs of times that exclude each other: instrument conditions are actual or simulated; a student who receives training is
 * not solo.
 */
const exclusive = [
  ['actualInstrument', 'simulatedInstrument'],
  ['dualReceived', 'solo'],
] as const

function sumProblems({ total }: LoggedFlight, log: LogEntry): Contradiction[] {
  return exclusive
    .filter(([one, other]) => log[one] <= total && log[other] <= total && log[one] + log[other] > total)
    .map(([other, field]) => ({
      field,
      message: (named) => dispatchErrors.logSumBeyondFlight({ ...named, other, total: formatTenths(total) }),
    }))
}

/** When a flight was out, and where it left; each is null when it is not known. */
export interface FlightPlace {
  out: Interval | null
  place: Coordinates | null
}

/**
 * Returns warnings about night takeoffs and night full stops of a flight that was not out in the hours that count as night for carrying
 * passengers (14 CFR 61.57(b)), by the sun at its location. None when the time or the place of the flight is not known.
 */
export function nightWarnings({ out, place }: FlightPlace, log: LogEntry): LogProblem[] {
  if (!out || !place || touchesDark(out, place, 'passengers')) return []
  return asProblems(
    problemsWhere([
      [log.nightTakeoffs > 0, 'nightTakeoffs', dispatchErrors.logNotNight],
      [log.nightFullStops > 0, 'nightFullStops', dispatchErrors.logNotNight],
    ]),
  )
}

/**
 * Returns the warnings of a log, which is stored nevertheless: pilot-in-command time of a person in training who is not known to be
 * rated in the aircraft (14 CFR 61.51(e)(1)(i)), and approaches without instrument time (61.51(g)).
 */
export function logWarnings({ seats }: Pick<LoggedFlight, 'seats'>, log: LogEntry, rated: boolean): LogProblem[] {
  const taught = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId !== log.orgUserId)
  const blind = log.actualInstrument + log.simulatedInstrument === 0
  return asProblems(
    problemsWhere([
      [log.pic > 0 && taught && !rated, 'pic', dispatchErrors.logNotRated],
      [log.approaches.length > 0 && blind, 'approaches', dispatchErrors.logNoInstrument],
    ]),
  )
}

/**
 * Returns a warning when a student who is not rated in the aircraft lacked endorsements for a solo cross-country flight when it left;
 * otherwise none. Implements 14 CFR 61.93(b) and (c).
 */
export function routeWarnings(
  flight: SoloFlight,
  log: LogEntry,
  { rated, endorsements }: { rated: boolean; endorsements: readonly RouteEndorsement[] },
): LogProblem[] {
  if (!isSoloCrossCountry(log) || rated) return []
  const codes = missingForRoute(flight, endorsements)
  if (codes === null) return []
  return asProblems([{ field: 'crossCountry', message: (named) => dispatchErrors.logNotEndorsed({ ...named, codes }) }])
}

/** Returns whether a log has both solo and cross-country time. */
export function isSoloCrossCountry({ solo, crossCountry }: Pick<LogEntry, 'solo' | 'crossCountry'>): boolean {
  return solo > 0 && crossCountry > 0
}

function problemsWhere(
  cases: readonly [holds: boolean, field: Contradiction['field'], message: Contradiction['message']][],
) {
  return cases.flatMap(([holds, field, message]) => (holds ? [{ field, message }] : []))
}

function asProblems(found: readonly Contradiction[], path = ''): LogProblem[] {
  const first = found.filter(({ field }, index) => found.findIndex((one) => one.field === field) === index)
  return first.map(({ field, message }) => {
    const named = `${path}${field}`
    return { field: named, message: message({ field: named }) }
  })
}

const OPEN_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Returns whether a log is closed: the flight is invoiced and the aircraft has been back for more than 7 days.
 * Implements interface §Flight log.
 */
export function isLogClosed({ billed, backAt }: { billed: boolean; backAt: Date }, now: Date): boolean {
  return billed && now.getTime() > backAt.getTime() + OPEN_DAYS * DAY_MS
}

/**
 * Returns which logs of a flight a member may write: `all` for desk staff and the flight's instructor, `own` for other people
 * on it, otherwise `none`.
 * Implements interface §Flight log.
 */
export function writableLogs(
  roles: RoleFlags,
  orgUserId: number,
  seats: SignOffFacts['seats'],
): 'all' | 'own' | 'none' {
  if (hasCloseOutAuthority(roles, orgUserId, seats)) return 'all'
  return seats.some((seat) => seat.orgUserId === orgUserId) ? 'own' : 'none'
}
