import { describe, expect, test } from 'vitest'
import {
  flightTotal,
  isLogClosed,
  logProblems,
  logWarnings,
  routeWarnings,
  writableLogs,
} from '../../../src/shared/dispatch/flight-log.rules.ts'
import {
  type LogEntry,
  type LogFigures,
  type LoggedFlight,
  loggedCounts,
  loggedTimes,
} from '../../../src/shared/dispatch/flight-log.types.ts'
import { isBeyondSaid } from '../../../src/shared/dispatch/solo-cross-country.rules.ts'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'

const [ivan, sam] = [1, 2]
type Seats = LoggedFlight['seats']
const dual: Seats = [
  { side: 'instructors', orgUserId: ivan },
  { side: 'students', orgUserId: sam },
]
const alone: Seats = [{ side: 'students', orgUserId: sam }]

/** A flight of 1.5 hours. */
function flight(type: LoggedFlight['type'], seats: Seats, resource: LoggedFlight['resource'] = 'plane'): LoggedFlight {
  return { type, seats, resource, total: tenths(15) }
}

type Given = { [Key in keyof LogFigures]?: LogFigures[Key] extends number ? number : LogFigures[Key] }

function log(orgUserId: number, given: Given): LogEntry {
  const none = Object.fromEntries([...loggedTimes, ...loggedCounts].map((key) => [key, 0])) as unknown as LogEntry
  return { ...none, orgUserId, approaches: [], route: null, remarks: null, ...(given as Partial<LogEntry>) }
}

const ils = [{ kind: 'ILS 28R', count: 1, airport: 'KOAK' }]

describe('what contradicts a log (14 CFR 61.51)', () => {
  test.each<[string, LoggedFlight, LogEntry, string[]]>([
    [
      'a rated pilot in training, sole manipulator for 1.2, of it 0.8 under the hood',
      flight('dual', dual),
      log(sam, { dualReceived: 15, pic: 12, simulatedInstrument: 8 }),
      [],
    ],
    ['the instructor of that flight', flight('dual', dual), log(ivan, { pic: 15, instruction: 15 }), []],
    ['a student in training', flight('dual', dual), log(sam, { dualReceived: 15 }), []],
    ['a student alone', flight('solo', alone), log(sam, { solo: 15, pic: 15 }), []],
    ['the whole flight on every clock', flight('dual', dual), log(sam, { dualReceived: 15, crossCountry: 15 }), []],
    ['a tenth above the flight', flight('dual', dual), log(sam, { dualReceived: 16 }), ['dualReceived']],
    [
      'two clocks above the flight',
      flight('dual', dual),
      log(sam, { crossCountry: 16, night: 20 }),
      ['crossCountry', 'night'],
    ],
    [
      'actual and simulated instrument time above the flight together',
      flight('dual', dual),
      log(sam, { actualInstrument: 8, simulatedInstrument: 8 }),
      ['simulatedInstrument'],
    ],
    [
      'the whole flight on instruments',
      flight('dual', dual),
      log(sam, { actualInstrument: 7, simulatedInstrument: 8 }),
      [],
    ],
    ['solo with an instructor aboard', flight('dual', dual), log(sam, { solo: 5 }), ['solo']],
    ['solo on a rental', flight('rental', [{ side: 'renters', orgUserId: sam }]), log(sam, { solo: 5 }), ['solo']],
    ['training alone', flight('solo', alone), log(sam, { dualReceived: 5 }), ['dualReceived']],
    ['training received by the instructor', flight('dual', dual), log(ivan, { dualReceived: 5 }), ['dualReceived']],
    ['instruction by the student', flight('dual', dual), log(sam, { instruction: 5 }), ['instruction']],
    ['night landings without night time', flight('solo', alone), log(sam, { nightLandings: 1 }), ['nightLandings']],
    ['a night takeoff without night time', flight('solo', alone), log(sam, { nightTakeoffs: 1 }), ['nightTakeoffs']],
    ['night landings', flight('solo', alone), log(sam, { night: 3, nightLandings: 2, nightFullStops: 2 }), []],
    [
      'more full stops than landings',
      flight('solo', alone),
      log(sam, { dayLandings: 2, dayFullStops: 3 }),
      ['dayFullStops'],
    ],
    [
      'more full stops than landings by night',
      flight('solo', alone),
      log(sam, { night: 3, dayLandings: 5, nightLandings: 1, nightFullStops: 2 }),
      ['nightFullStops'],
    ],
    ['simulator time in an aircraft', flight('dual', dual), log(sam, { simulator: 5 }), ['simulator']],
    [
      'a device, with instrument time, approaches and a hold in it',
      flight('sim', dual, 'simulator'),
      log(sam, { simulator: 15, simulatedInstrument: 15, approaches: ils, holds: 1 }),
      [],
    ],
    [
      'flight time and a landing in a device',
      flight('sim', dual, 'simulator'),
      log(sam, { simulator: 15, pic: 15, dualReceived: 10, dayLandings: 1 }),
      ['pic', 'dualReceived', 'dayLandings'],
    ],
    [
      'more instrument time than time in the device',
      flight('sim', dual, 'simulator'),
      log(sam, { simulator: 5, simulatedInstrument: 6 }),
      ['simulatedInstrument'],
    ],
    [
      'more than the booking of the device',
      flight('sim', alone, 'simulator'),
      log(sam, { simulator: 16 }),
      ['simulator'],
    ],
  ])('in %s: %#', (_, flown, entry, fields) => {
    expect(logProblems(flown, entry).map(({ field }) => field)).toEqual(fields)
  })

  test('is named with its path, and each figure once', () => {
    const found = logProblems(flight('dual', dual), log(sam, { solo: 16 }), 'rows.1.')
    expect(found).toEqual([{ field: 'rows.1.solo', message: 'rows.1.solo: is more than the 1.5 hours of the flight' }])
  })
})

describe('what is doubtful in a log', () => {
  test.each<[string, Seats, LogEntry, boolean, string[]]>([
    ['pilot in command in training, not known to be rated', dual, log(sam, { pic: 12 }), false, ['pic']],
    ['pilot in command in training, rated', dual, log(sam, { pic: 12 }), true, []],
    ['the instructor as pilot in command', dual, log(ivan, { pic: 15 }), false, []],
    ['a student alone', alone, log(sam, { pic: 15 }), false, []],
    ['an approach without instrument time', dual, log(sam, { approaches: ils }), false, ['approaches']],
    ['an approach in clouds', dual, log(sam, { approaches: ils, actualInstrument: 3 }), false, []],
  ])('%s', (_, seats, entry, rated, fields) => {
    expect(logWarnings({ seats }, entry, rated).map(({ field }) => field)).toEqual(fields)
  })
})

describe('a student’s solo flight to another airport (14 CFR 61.93)', () => {
  const aircraft = { modelKeys: ['cessnac172', 'c172'] }
  const out = new Date('2026-06-15T03:30:00Z')
  const [a8, a11] = (['A.8', 'A.11'] as const).map((code) => held(code, { makeAndModel: null }))
  const a9 = held('A.9')
  const a10 = (flightOn: string | null) => held('A.10', { flightOn })

  /** An endorsement for the Cessna, without end. */
  function held(code: string, over: { makeAndModel?: string | null; flightOn?: string | null } = {}) {
    return { code, makeAndModel: 'Cessna C172', flightOn: null, expiresAt: null, ...over }
  }

  /** What is missing of a flight that leaves in the evening of 14 June in Chicago. */
  function missing(endorsements: Parameters<typeof routeWarnings>[2]['endorsements'], given: Given = {}, over = {}) {
    const entry = log(sam, { solo: 15, crossCountry: 15, ...given })
    const flown = { out, zone: 'America/Chicago', aircraft, ...over }
    const found = routeWarnings(flown, entry, { rated: false, endorsements })
    return found.map(({ message }) => message.replace(/^.*: /, ''))
  }

  test.each([
    ['22 NM: A.8', [a8!], []],
    ['45 NM, repeated: A.9 and A.11', [a9, a11!], []],
    ['60 NM: A.9 and A.10', [a9, a10('2026-06-14')], []],
    ['A.10 for 2026-06-15, flown a day early', [a9, a10('2026-06-15')], ['A.10 or A.11']],
    ['A.10 that has ended', [a9, { ...a10(null), expiresAt: out }], ['A.10 or A.11']],
    ['A.9 alone', [a9], ['A.10 or A.11']],
    ['A.11 without A.9', [a11!], ['A.8, or A.9 with A.10 or A.11']],
    ['A.10 without A.9', [a10('2026-06-14')], ['A.8, or A.9 with A.10 or A.11']],
    ['A.9 for another model', [held('A.9', { makeAndModel: 'Cessna C152' }), a11!], ['A.8, or A.9 with A.10 or A.11']],
    ['nothing', [], ['A.8, or A.9 with A.10 or A.11']],
  ])('%s', (_, endorsements, expected) => {
    expect(missing(endorsements)).toEqual(expected)
  })

  test('A.10 for 2026-06-14, postponed to 06-15', () => {
    const nextDay = { out: new Date('2026-06-15T14:00:00Z') }
    expect(missing([a9, a10('2026-06-14')], {}, nextDay)).toEqual(['A.10 or A.11'])
  })

  test('is doubted neither of who is rated, nor in training, nor at the own airport', () => {
    const rated = { rated: true, endorsements: [] }
    const flown = { out, zone: 'America/Chicago', aircraft }
    expect(routeWarnings(flown, log(sam, { solo: 15, crossCountry: 15 }), rated)).toEqual([])
    expect(missing([], { solo: 0 })).toEqual([])
    expect(missing([], { crossCountry: 0 })).toEqual([])
  })
})

describe('the log of a solo flight', () => {
  const said = (over: object) => ({ airport: null, crossCountry: null, classB: false, ...over })
  const at = (airport: string) => [{ kind: 'visual', count: 1, airport }]
  const away = { solo: 15, crossCountry: 15 }
  const alone = { solo: 15, crossCountry: 0 }
  test.each<[string, ReturnType<typeof said> | null, Given, boolean]>([
    ['nothing said', null, away, true],
    ['local', said({ classB: true }), away, true],
    ['an airport', said({ airport: 'KFRG' }), away, false],
    ['cross-country', said({ crossCountry: 'beyond' }), away, false],
    ['no cross-country time', null, alone, false],
    ['no solo time', null, { solo: 0, crossCountry: 15 }, false],
    ['an approach elsewhere', null, { ...alone, approaches: at('KLVK') }, true],
    ['an approach at home', null, { ...alone, approaches: at('hwd') }, false],
    ['a route elsewhere', null, { ...alone, route: 'KHWD KLVK KHWD' }, true],
    ['a route at home', null, { ...alone, route: 'KHWD AREA WORK, KHWD' }, false],
    ['the airport of its booking', said({ airport: 'klvk' }), { ...alone, route: 'KHWD-KLVK' }, false],
    ['another than the airport of its booking', said({ airport: 'KLVK' }), { ...away, route: 'KHWD KMRY' }, true],
    [
      'another airport within 25 NM',
      said({ airport: 'KLVK', crossCountry: 'within25' }),
      { ...away, route: 'KHWD KMRY' },
      true,
    ],
    ['any airport within 25 NM', said({ crossCountry: 'within25' }), { ...away, route: 'KHWD KLVK' }, false],
    ['stops beyond', said({ airport: 'KMRY', crossCountry: 'beyond' }), { ...away, route: 'KHWD KSNS KMRY' }, false],
    ['an approach elsewhere without solo time', null, { solo: 0, approaches: at('KLVK') }, false],
  ])('has more than the booking said, with %s', (_, solo, given, expected) => {
    expect(isBeyondSaid(solo, 'KHWD', log(sam, given))).toBe(expected)
  })

  test.each([
    ['KHWD KHWD', false],
    ['KHWD KLVK', true],
    ['around the field', false],
  ])('of a location without an airport starts at home: %s', (route, expected) => {
    expect(isBeyondSaid(null, null, log(sam, { ...alone, route }))).toBe(expected)
  })
})

describe('the time that a log is checked against', () => {
  const booked = { start: new Date('2026-06-01T10:00:00Z'), end: new Date('2026-06-01T12:00:00Z') }
  test.each([
    ['1.44 hours by Hobbs', { hobbsOut: hundredths(100_000), hobbsIn: hundredths(100_144), briefing: null }, 14],
    [
      '1.45 hours by Hobbs, which are billed as 1.5',
      { hobbsOut: hundredths(0), hobbsIn: hundredths(145), briefing: null },
      15,
    ],
    [
      'a dual with a briefing of half an hour',
      { hobbsOut: hundredths(0), hobbsIn: hundredths(100), briefing: tenths(5) },
      10,
    ],
    ['a device without meters that was corrected', { hobbsOut: null, hobbsIn: null, briefing: tenths(18) }, 18],
    ['a device without meters', { hobbsOut: null, hobbsIn: null, briefing: null }, 20],
  ])('is that of %s', (_, source, expected) => {
    expect(flightTotal({ ...source, ...booked })).toBe(expected)
  })
})

describe('a log', () => {
  const back = new Date('2026-06-01T12:00:00Z')
  test.each([
    ['not invoiced after months', false, '2026-12-01T00:00:00Z', false],
    ['invoiced on the day', true, '2026-06-01T18:00:00Z', false],
    ['invoiced, 7 days after', true, '2026-06-08T12:00:00Z', false],
    ['invoiced, a moment later', true, '2026-06-08T12:00:00.001Z', true],
  ])('of a flight %s', (_, billed, now, closed) => {
    expect(isLogClosed({ billed, backAt: back }, new Date(now))).toBe(closed)
  })

  test.each<[string, Parameters<typeof roleFlags>[0], number, 'all' | 'own' | 'none']>([
    ['the instructor of the flight', { instructor: true }, ivan, 'all'],
    ['another instructor', { instructor: true }, 9, 'none'],
    ['a dispatcher', { dispatcher: true }, 9, 'all'],
    ['the student aboard', { student: true }, sam, 'own'],
    ['a student at home', { student: true }, 9, 'none'],
  ])('is written by %s', (_, roles, orgUserId, writable) => {
    expect(writableLogs(roleFlags(roles), orgUserId, dual)).toBe(writable)
  })
})
