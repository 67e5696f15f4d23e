import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCorrection } from '../../../src/shared/dispatch/corrections.rules.ts'
import {
  briefingAnomalies,
  followCorrection,
  meterAfterRampIn,
  meterAnomalies,
  refuseRamp,
  runningBackwards,
} from '../../../src/shared/dispatch/meters.rules.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import { at } from '../scheduling/booking-facts.ts'

const twoHours = { start: at('2026-06-02T10:00:00Z'), end: at('2026-06-02T12:00:00Z') }
const hobbs = (out: number, back: number) => ({ meter: 'hobbs' as const, out: hundredths(out), in: hundredths(back) })

describe('a meter reading (§Reservations rule 6)', () => {
  test('that runs backwards is refused, naming the field', () => {
    expect(
      runningBackwards([hobbs(123450, 123449), { meter: 'tach', out: hundredths(100), in: hundredths(100) }]),
    ).toEqual([{ field: 'hobbsTimeIn', message: 'hobbsTimeIn: 1234.49 is below the reading out, 1234.50' }])
  })

  test('within twice the booked hours plus one is accepted', () => {
    expect(meterAnomalies([hobbs(10000, 10500)], twoHours)).toEqual([])
  })

  test('beyond that limit is an anomaly', () => {
    expect(meterAnomalies([hobbs(10000, 10501)], twoHours)).toEqual([
      { meter: 'hobbs', kind: 'beyond_booking', out: 100, in: 105.01, hours: 5.01, allowedHours: 5 },
    ])
  })

  test('with more whole digits than the one out is an anomaly, however few the hours are', () => {
    expect(meterAnomalies([hobbs(99990, 100050)], twoHours)).toEqual([
      { meter: 'hobbs', kind: 'extra_digits', out: 999.9, in: 1000.5, hours: 0.6, allowedHours: 5 },
    ])
  })

  test('can be an anomaly for both reasons', () => {
    expect(meterAnomalies([hobbs(123450, 1234670)], twoHours).map(({ kind, hours }) => [kind, hours])).toEqual([
      ['extra_digits', 11112.2],
      ['beyond_booking', 11112.2],
    ])
  })

  test('is measured against the exact booked time, and the allowed hours are rounded down to the hundredth', () => {
    // 50 minutes allow 2 × 0.8333 + 1 = 2.666… hours.
    const booked = { start: at('2026-06-02T10:00:00Z'), end: at('2026-06-02T10:50:00Z') }
    expect(meterAnomalies([hobbs(10000, 10266)], booked)).toEqual([])
    expect(meterAnomalies([hobbs(10000, 10267)], booked)[0]?.allowedHours).toBe(2.66)
  })
})

describe('a briefing (§Reservations rule 6)', () => {
  test.each([
    // Two booked hours allow three.
    [null, []],
    [30, []],
    [31, [{ meter: 'briefing', kind: 'beyond_booking', out: 0, in: 3.1, hours: 3.1, allowedHours: 3 }]],
  ])('of %s tenths of an hour in a booking of two hours is an anomaly above three', (briefing, anomalies) => {
    expect(briefingAnomalies(briefing === null ? null : tenths(briefing), twoHours)).toEqual(anomalies)
  })

  test('is measured against the exact booked time', () => {
    // 50 minutes and an hour are 1.8333 hours: 1.8 fits, 1.9 does not.
    const booked = { start: at('2026-06-02T10:00:00Z'), end: at('2026-06-02T10:50:00Z') }
    expect(briefingAnomalies(tenths(18), booked)).toEqual([])
    expect(briefingAnomalies(tenths(19), booked)[0]?.allowedHours).toBe(1.83)
  })
})

describe('the aircraft’s own meters (§Reservations rule 7)', () => {
  const meters = (hobbs: number, tach: number) => ({ hobbs: hundredths(hobbs), tach: hundredths(tach) })
  const afterRampIn = (aircraft: number | null, readingIn: number) =>
    meterAfterRampIn(aircraft === null ? null : hundredths(aircraft), hundredths(readingIn))

  test('move forward at ramp-in only', () => {
    expect([afterRampIn(null, 500), afterRampIn(500, 620), afterRampIn(900, 620)]).toEqual([500, 620, 900])
  })

  test('follow a correction of the flight that they still read, up or down', () => {
    const before = meters(620, 550)
    expect(followCorrection(before, before, meters(600, 550))).toEqual({
      followed: true,
      meters: { hobbs: 600, tach: 550 },
    })
  })

  test('stay when a later flight has moved them', () => {
    const aircraft = meters(700, 630)
    expect(followCorrection(aircraft, meters(620, 550), meters(640, 560))).toEqual({
      followed: false,
      meters: aircraft,
    })
  })

  test('never go backwards at ramp-in', () => {
    const reading = fc.integer({ min: 0, max: 99_999_999 }).map(hundredths)
    fc.assert(fc.property(reading, reading, (now, back) => meterAfterRampIn(now, back) >= now))
  })
})

describe('ramping by type and resource (§Reservation lifecycle)', () => {
  test.each([
    ['dual', 'plane', true],
    ['sim', 'simulator', true],
    ['dual', null, false],
    ['ground', 'room', false],
    ['maintenance', 'plane', false],
  ] as const)('lets a %s booking on %s leave the ramp: %s', (type, kind, possible) => {
    expect(refuseRamp(type, kind) === null).toBe(possible)
  })
})

describe('a correction of readings (§Reservations rule 7)', () => {
  const stored = {
    hobbsTimeOut: hundredths(10000),
    hobbsTimeIn: hundredths(10120),
    tachTimeOut: hundredths(9000),
    tachTimeIn: hundredths(9100),
    briefing: null,
  }

  test('answers the figures as they will be', () => {
    expect(readCorrection(stored, { hobbsTimeOut: hundredths(10000), hobbsTimeIn: hundredths(10130) })).toEqual({
      problems: null,
      noChanges: false,
      figures: { ...stored, hobbsTimeIn: 10130 },
    })
  })

  test('that equals what is stored changes nothing', () => {
    expect(readCorrection(stored, { hobbsTimeIn: hundredths(10120) })).toMatchObject({
      noChanges: true,
      figures: stored,
    })
  })

  test.each([
    ['no figure', {}, ['body']],
    ['a figure that the booking does not hold', { briefing: tenths(5) }, ['briefing']],
    ['half a meter', { tachTimeIn: hundredths(9110) }, ['tachTimeIn']],
    [
      'two halves of different meters',
      { hobbsTimeOut: hundredths(1), tachTimeIn: hundredths(9110) },
      ['hobbsTimeOut', 'tachTimeIn'],
    ],
  ])('with %s is refused', (_name, sent, fields) => {
    expect(readCorrection(stored, sent).problems?.map(({ field }) => field)).toEqual(fields)
  })
})
