import type { RoleFlags } from '../platform/authz/roles.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import { formatTenths, tenthsBetween, tenthsFromHundredths } from '../platform/kernel/hours.ts'
import { type Hundredths, minus, type Tenths } from '../platform/kernel/units.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { type LogEntry, type LoggedFlight, type LoggedTime, loggedCounts, loggedTimes } from './flight-log.types.ts'
import { hasCloseOutAuthority, type SignOffFacts } from './sign-off.rules.ts'

/** What contradicts a log: the figure, and why. */
export interface LogProblem {
  field: string
  message: Sentence
}

/** The measures of the time of a flight or device: Hobbs readings in hundredths of an hour, briefing in tenths. */
export interface TimeSource {
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  briefing: Tenths | null
  start: Date
  end: Date
}

/**
 * Returns the time of a flight in tenths: by its Hobbs readings, rounded half up as it is billed; of a device without
 * meters the briefing, else the booked time.
 */
export function flightTotal({ hobbsOut, hobbsIn, briefing, start, end }: TimeSource): Tenths {
  if (hobbsOut !== null && hobbsIn !== null) return tenthsFromHundredths(minus(hobbsIn, hobbsOut))
  return briefing ?? tenthsBetween(start, end)
}

/** What is logged in a simulator or training device: 14 CFR 61.51(b)(2)(v) and (b)(3)(iii). */
const ofDevices: readonly LoggedTime[] = ['simulator', 'simulatedInstrument']

/** A contradiction before it is said of a field, whose path the caller gives. */
interface Contradiction {
  field: keyof LogEntry
  said(parameters: { field: string }): Sentence
}

/**
 * Returns what contradicts a person's log: a figure above the time of the flight, two that exclude each other and are
 * more together, night takeoffs or landings without night time, solo with an instructor aboard, training received
 * without one, instruction by somebody else, and flight figures in a simulator, which gives simulator time only. Each
 * figure is named once; `path` stands before its name. 14 CFR 61.51(b), (d), (h).
 */
export function logProblems(flight: LoggedFlight, log: LogEntry, path = ''): LogProblem[] {
  const contradictions =
    flight.resource === 'simulator'
      ? deviceProblems(log)
      : [...aircraftProblems(flight, log), ...landingProblems(log), ...sumProblems(flight, log)]
  return spoken([...tooLong(flight, log), ...contradictions], path)
}

function tooLong({ total }: LoggedFlight, log: LogEntry): Contradiction[] {
  const said = ({ field }: { field: string }) => dispatchErrors.logBeyondFlight({ field, total: formatTenths(total) })
  return loggedTimes.filter((time) => log[time] > total).map((field) => ({ field, said }))
}

function deviceProblems(log: LogEntry): Contradiction[] {
  const flown = [...loggedTimes.filter((time) => !ofDevices.includes(time)), ...loggedCounts].filter(
    (figure) => figure !== 'holds' && log[figure] > 0,
  )
  const beyond = { field: 'simulatedInstrument', said: dispatchErrors.logBeyondSimulator } as const
  return [
    ...flown.map((field) => ({ field, said: dispatchErrors.logInSimulator })),
    ...(log.simulatedInstrument > log.simulator ? [beyond] : []),
  ]
}

function aircraftProblems({ type, seats }: LoggedFlight, log: LogEntry): Contradiction[] {
  const taught = seats.some((seat) => seat.side === 'instructors')
  const teaches = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === log.orgUserId)
  return when([
    [log.simulator > 0, 'simulator', dispatchErrors.logNoSimulator],
    [log.solo > 0 && taught, 'solo', dispatchErrors.logSoloTaught],
    [log.solo > 0 && type !== 'solo', 'solo', dispatchErrors.logNotSolo],
    [log.instruction > 0 && !teaches, 'instruction', dispatchErrors.logNotInstructor],
    [log.dualReceived > 0 && !taught, 'dualReceived', dispatchErrors.logUntaught],
    [log.dualReceived > 0 && teaches, 'dualReceived', dispatchErrors.logTaughtOneself],
  ])
}

function landingProblems(log: LogEntry): Contradiction[] {
  return when([
    [log.nightTakeoffs > 0 && log.night === 0, 'nightTakeoffs', dispatchErrors.logNoNight],
    [log.nightLandings > 0 && log.night === 0, 'nightLandings', dispatchErrors.logNoNight],
    [log.dayFullStops > log.dayLandings, 'dayFullStops', dispatchErrors.logTooManyStops],
    [log.nightFullStops > log.nightLandings, 'nightFullStops', dispatchErrors.logTooManyStops],
  ])
}

/** Instrument conditions are either actual or simulated, and who is taught is not solo. */
const exclusive = [
  ['actualInstrument', 'simulatedInstrument'],
  ['dualReceived', 'solo'],
] as const

function sumProblems({ total }: LoggedFlight, log: LogEntry): Contradiction[] {
  return exclusive
    .filter(([one, other]) => log[one] <= total && log[other] <= total && log[one] + log[other] > total)
    .map(([other, field]) => ({
      field,
      said: (named) => dispatchErrors.logSumBeyondFlight({ ...named, other, total: formatTenths(total) }),
    }))
}

/**
 * Returns what is doubtful in a log that is kept all the same: pilot-in-command time of somebody who is taught and is not
 * known to be rated in the aircraft (14 CFR 61.51(e)(1)(i)), and approaches without instrument time (61.51(g)).
 */
export function logWarnings({ seats }: Pick<LoggedFlight, 'seats'>, log: LogEntry, rated: boolean): LogProblem[] {
  const taught = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId !== log.orgUserId)
  const blind = log.actualInstrument + log.simulatedInstrument === 0
  return spoken(
    when([
      [log.pic > 0 && taught && !rated, 'pic', dispatchErrors.logNotRated],
      [log.approaches.length > 0 && blind, 'approaches', dispatchErrors.logNoInstrument],
    ]),
  )
}

function when(cases: readonly [holds: boolean, field: Contradiction['field'], said: Contradiction['said']][]) {
  return cases.flatMap(([holds, field, said]) => (holds ? [{ field, said }] : []))
}

function spoken(found: readonly Contradiction[], path = ''): LogProblem[] {
  const first = found.filter(({ field }, index) => found.findIndex((one) => one.field === field) === index)
  return first.map(({ field, said }) => {
    const named = `${path}${field}`
    return { field: named, message: said({ field: named }) }
  })
}

const OPEN_DAYS = 7
const DAY_MS = 86_400_000

/** Returns whether a log is closed: the flight is invoiced, and more than 7 days have passed since the aircraft was back. */
export function isLogClosed({ billed, backAt }: { billed: boolean; backAt: Date }, now: Date): boolean {
  return billed && now.getTime() > backAt.getTime() + OPEN_DAYS * DAY_MS
}

/** Returns whose logs of a flight a member may write: desk staff and its instructor all, others on board their own. */
export function writableLogs(
  roles: RoleFlags,
  orgUserId: number,
  seats: SignOffFacts['seats'],
): 'all' | 'own' | 'none' {
  if (hasCloseOutAuthority(roles, orgUserId, seats)) return 'all'
  return seats.some((seat) => seat.orgUserId === orgUserId) ? 'own' : 'none'
}
