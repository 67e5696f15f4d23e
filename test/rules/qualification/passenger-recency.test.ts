import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../../src/shared/platform/kernel/zones.ts'
import { passengerRecency } from '../../../src/shared/qualification/currencies/passenger.rules.ts'
import type { AircraftScope } from '../../../src/shared/qualification/currencies/recency.types.ts'
import { flown, single } from './pilot-flights.ts'

const tailwheel: AircraftScope = { ...single, tailwheel: true }
const twin: AircraftScope = { ...single, class: 'multi_engine_land' }
const jet: AircraftScope = { ...twin, type: 'CE-500' }
const three = { dayTakeoffs: 3, dayLandings: 3 }
const fullStops = { ...three, dayFullStops: 3 }
const byNight = { nightTakeoffs: 3, nightLandings: 3, nightFullStops: 3 }
const one = { dayTakeoffs: 1, dayLandings: 1 }

describe('the recency for passengers by day (14 CFR 61.57(a))', () => {
  test.for([
    ['three takeoffs and landings', [flown('2026-03-01', three)], single, '2026-05-30'],
    [
      'one each on three days',
      ['03-01', '04-01', '05-01'].map((day) => flown(`2026-${day}`, one)),
      single,
      '2026-05-30',
    ],
    ['touch-and-goes in a nosewheel airplane, for one with a tailwheel', [flown('2026-03-01', three)], tailwheel, null],
    [
      'full stops in a tailwheel airplane, for itself',
      [flown('2026-03-01', fullStops, tailwheel)],
      tailwheel,
      '2026-05-30',
    ],
    ['touch-and-goes in a tailwheel airplane', [flown('2026-03-01', three, tailwheel)], tailwheel, null],
    [
      'full stops in a tailwheel airplane, for a nosewheel',
      [flown('2026-03-01', fullStops, tailwheel)],
      single,
      '2026-05-30',
    ],
    ['landings in a twin, for a single', [flown('2026-03-01', three, twin)], single, null],
    [
      'landings in a twin whose class is a code',
      [flown('2026-03-01', three, { ...twin, class: 'AMEL' })],
      twin,
      '2026-05-30',
    ],
    ['landings in a twin on floats', [flown('2026-03-01', three, { ...twin, class: 'AMES' })], twin, null],
    ['landings in a twin, for one with a type rating', [flown('2026-03-01', three, twin)], jet, null],
    ['landings in one with a type rating, for a twin', [flown('2026-03-01', three, jet)], twin, '2026-05-30'],
    [
      'three touch-and-goes by night',
      [flown('2026-03-01', { nightTakeoffs: 3, nightLandings: 3 })],
      single,
      '2026-05-30',
    ],
    ['what a student flew, instructor aboard', [flown('2026-03-01', {})], single, null],
    ['three landings and two takeoffs', [flown('2026-03-01', { ...three, dayTakeoffs: 2 })], single, null],
    ['landings in a device', [{ ...flown('2026-03-01', three), device: true }], single, null],
    [
      'earlier takeoffs than landings',
      [flown('2026-02-01', three), flown('2026-03-01', { dayLandings: 3 })],
      single,
      '2026-05-02',
    ],
    ['landings after the day of judgement', [flown('2026-05-21', three)], single, null],
  ] as const)('counts %s', ([_what, flights, scope, validUntil]) => {
    expect(passengerRecency('day', scope, flights, '2026-05-20').validUntil).toBe(validUntil)
  })

  test('shows the flights that it counts, and what keeps it', () => {
    const flights = [flown('2026-02-01', three), flown('2026-04-01', one), flown('2026-05-01', one)]
    const { evidence, needs } = passengerRecency('day', single, flights, '2026-05-02')
    expect(evidence).toEqual([
      { kind: 'flight', id: 20260501, at: new Date('2026-05-01T18:00:00Z'), counted: 1 },
      { kind: 'flight', id: 20260401, at: new Date('2026-04-01T18:00:00Z'), counted: 1 },
      { kind: 'flight', id: 20260201, at: new Date('2026-02-01T18:00:00Z'), counted: 1 },
    ])
    // The landings of 1 February count to 2 May: from 3 May on one more is missing.
    expect(needs).toEqual([{ action: 'landings', count: 1, by: '2026-05-02' }])
  })

  test('once lapsed is restored by what is missing within the last 90 days', () => {
    const flights = [flown('2026-02-01', three), flown('2026-04-01', one)]
    const { validUntil, needs } = passengerRecency('day', single, flights, '2026-05-20')
    expect(validUntil).toBe('2026-05-02')
    expect(needs).toEqual([{ action: 'landings', count: 2, by: null }])
  })
})

describe('the recency for passengers by night (14 CFR 61.57(b))', () => {
  test.for([
    ['three full stops', byNight, '2026-05-30'],
    ['three touch-and-goes at 21:00', { nightTakeoffs: 3, nightLandings: 3 }, null],
    ['landings by day', fullStops, null],
  ] as const)('counts %s', ([_what, figures, validUntil]) => {
    const { needs, ...recency } = passengerRecency('night', single, [flown('2026-03-01', figures)], '2026-05-20')
    expect(recency.validUntil).toBe(validUntil)
    expect(needs[0]?.action).toBe('night_landings')
  })

  test('three full stops by night count by day too', () => {
    expect(passengerRecency('day', single, [flown('2026-03-01', byNight)], '2026-05-20').validUntil).toBe('2026-05-30')
  })
})

test('a pilot is current on exactly the days that have three takeoffs and landings in the 90 days before', () => {
  const day = (offset: number) => addDays('2026-01-01', offset)
  const flight = fc.record({
    offset: fc.integer({ min: 0, max: 250 }),
    dayTakeoffs: fc.integer({ min: 0, max: 3 }),
    dayLandings: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(flight, { maxLength: 6 }), fc.integer({ min: 0, max: 400 }), (plan, today) => {
      const flights = plan.map(({ offset, ...figures }) => flown(day(offset), figures))
      const { validUntil } = passengerRecency('day', single, flights, day(today))
      let [takeoffs, landings] = [0, 0]
      for (const { offset, dayTakeoffs, dayLandings } of plan) {
        if (offset > today || offset < today - 90) continue
        takeoffs += dayTakeoffs
        landings += dayLandings
      }
      expect(validUntil !== null && validUntil >= day(today)).toBe(takeoffs >= 3 && landings >= 3)
    }),
  )
})
