import { describe, expect, test } from 'vitest'
import type { LogFigures } from '../../../src/shared/dispatch/flight-log.types.ts'
import { type Tenths, tenths, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { postingsOf } from '../../../src/shared/training/records/credit.rules.ts'
import {
  clockReadings,
  type FlownLesson,
  figuresOf,
  figuresToSign,
  mismatches,
  prefilled,
} from '../../../src/shared/training/records/record-figures.rules.ts'

const log = (given: { [Key in keyof LogFigures]?: LogFigures[Key] | number }): LogFigures => ({
  pic: ZERO,
  solo: ZERO,
  dualReceived: ZERO,
  instruction: ZERO,
  crossCountry: ZERO,
  night: ZERO,
  actualInstrument: ZERO,
  simulatedInstrument: ZERO,
  simulator: ZERO,
  dayTakeoffs: 0,
  dayLandings: 0,
  dayFullStops: 0,
  nightTakeoffs: 0,
  nightLandings: 0,
  nightFullStops: 0,
  holds: 0,
  approaches: [],
  route: null,
  remarks: null,
  ...(given as Partial<LogFigures>),
})

function flown(type: FlownLesson['type'], total: number | null, more: Partial<FlownLesson> = {}): FlownLesson {
  return { type, total: total === null ? null : tenths(total), briefing: null, log: null, ...more }
}
const half = tenths(5)

describe('the times that a record takes over from its booking', () => {
  test.each<[string, Parameters<typeof prefilled>[0], FlownLesson, object]>([
    ['a dual', {}, flown('dual', 15, { briefing: half }), { flightTenths: 15, instructionTenths: 15, groundTenths: 5 }],
    ['a solo', {}, flown('solo', 15), { flightTenths: 15 }],
    ['a rental', {}, flown('other', 15), { flightTenths: 15 }],
    ['a sim', {}, flown('sim', 15, { briefing: tenths(15) }), { simulatorTenths: 15 }],
    ['a ground lesson', {}, flown('ground', null, { briefing: tenths(10) }), { groundTenths: 10 }],
    ['a dual that is not back', {}, flown('dual', null), {}],
    [
      'a dual, of which some is given, 0 too',
      { instructionTenths: ZERO, flightTenths: tenths(14) },
      flown('dual', 15),
      { flightTenths: 14, instructionTenths: 0 },
    ],
    [
      'a dual, of which none is wanted',
      { flightTenths: null, instructionTenths: null },
      flown('dual', 15),
      { flightTenths: null, instructionTenths: null },
    ],
  ])('are those of %s', (_, given, booking, expected) => {
    expect(prefilled(given, booking)).toEqual(expected)
  })
})

describe('the figures that a record is signed with', () => {
  const logged = flown('dual', 15, {
    log: log({ night: tenths(4), pic: tenths(12), simulatedInstrument: tenths(8), dayLandings: 3, nightLandings: 1 }),
  })
  test('are its own, and those of the log where it has none', () => {
    const signed = figuresToSign({ flightTenths: tenths(15), nightTenths: ZERO, landings: 2 }, logged)
    expect(signed).toMatchObject({
      flightTenths: 15,
      nightTenths: 0,
      picTenths: 12,
      simulatedInstrumentTenths: 8,
      landings: 2,
    })
    expect(signed.instructionTenths).toBeNull()
    expect(figuresToSign({}, logged).landings).toBe(4)
  })

  test('are not above the time of a flight whose meters were corrected after the log', () => {
    expect(figuresToSign({}, { ...logged, total: tenths(10) })).toMatchObject({ picTenths: 10, nightTenths: 4 })
  })

  test('are its own alone without a log', () => {
    expect(figuresToSign({ picTenths: tenths(3) }, flown('dual', 15))).toEqual(figuresOf({ picTenths: tenths(3) }))
    expect(figuresToSign({}, null)).toEqual(figuresOf({}))
  })
})

/** What signing posts for a lesson that credits these clocks, each to a requirement of its own. */
function posted(
  booking: FlownLesson,
  ...clocks: ('flight' | 'instruction' | 'instrument' | 'pic' | 'solo')[]
): (Tenths | null)[] {
  const figures = figuresToSign(prefilled({}, booking), booking)
  const credits = clocks.map((clock, requirementId) => ({ requirementId, clock, count: null }))
  const postings = postingsOf(credits, clockReadings(figures, booking.log))
  return clocks.map((clock) => postings.find((one) => one.clock === clock)?.tenths ?? null)
}

describe('the credit of 1.5 hours in a single (14 CFR 61.51)', () => {
  test.each<[string, FlownLesson, (number | null)[]]>([
    [
      'dual of a private pilot, sole manipulator for 1.2, of it 0.8 under the hood',
      flown('dual', 15, { log: log({ dualReceived: tenths(15), pic: tenths(12), simulatedInstrument: tenths(8) }) }),
      [15, 15, 8, 12, null],
    ],
    [
      'dual of a student pilot',
      flown('dual', 15, { log: log({ dualReceived: tenths(15) }) }),
      [15, 15, null, null, null],
    ],
    [
      'solo of a student pilot',
      flown('solo', 15, { log: log({ solo: tenths(15), pic: tenths(15) }) }),
      [15, null, null, 15, 15],
    ],
    [
      'dual of a private pilot in a class that they are not rated in',
      flown('dual', 15, { log: log({ dualReceived: tenths(15), pic: ZERO }) }),
      [15, 15, null, null, null],
    ],
    [
      'dual of which 0.9 is under the hood, not 1.5',
      flown('dual', 15, { log: log({ simulatedInstrument: tenths(9) }) }),
      [15, 15, 9, null, null],
    ],
    [
      'dual in and out of clouds',
      flown('dual', 15, { log: log({ actualInstrument: tenths(4), simulatedInstrument: tenths(5) }) }),
      [15, 15, 9, null, null],
    ],
  ])('%s', (_, booking, expected) => {
    expect(posted(booking, 'flight', 'instruction', 'instrument', 'pic', 'solo')).toEqual(expected)
  })
})

describe('a record that differs from its booking', () => {
  test.each<[string, Parameters<typeof mismatches>[0], FlownLesson, object[]]>([
    ['by 0.2 hours', { flightTenths: tenths(13), instructionTenths: tenths(17) }, flown('dual', 15), []],
    [
      'by 0.3 hours',
      { flightTenths: tenths(12), instructionTenths: tenths(15) },
      flown('dual', 15),
      [{ clock: 'flightTenths', recorded: 12, booked: 15 }],
    ],
    [
      'in a time that it lacks',
      { flightTenths: tenths(15) },
      flown('dual', 15),
      [{ clock: 'instructionTenths', recorded: 0, booked: 15 }],
    ],
    [
      'in a device',
      { simulatorTenths: tenths(20) },
      flown('sim', 15),
      [{ clock: 'simulatorTenths', recorded: 20, booked: 15 }],
    ],
    ['before the aircraft is back', { flightTenths: tenths(99) }, flown('dual', null), []],
  ])('%s', (_, recorded, booking, expected) => {
    expect(mismatches(recorded, booking)).toEqual(expected)
  })
})
