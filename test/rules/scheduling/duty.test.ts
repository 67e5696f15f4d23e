import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BookingTimes, BusyTime } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { busiestWindow } from '../../../src/shared/scheduling/rules/duty.rules.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { at, facts, member, plane, times } from './booking-facts.ts'

const HOUR_MS = 3_600_000

/** Hours after the start of day 1 in New York, Monday 1 June 2026; day 2 starts at 24. */
const hour = (count: number) => new Date(at('2026-06-01T00:00:00-04:00').getTime() + count * HOUR_MS)
const flight = ([from, to]: readonly [number, number], reservationId: number | null = null): BusyTime => ({
  reservationId,
  start: hour(from),
  end: hour(to),
})

type Span = readonly [from: number, to: number]

function warningsOf(booked: Span, given: readonly BusyTime[], over: Partial<BookingTimes> = {}) {
  const ana = { ...member('instructors', 1, 'Ana Ruiz'), training: given }
  const booking = times({ start: hour(booked[0]), end: hour(booked[1]), ...over })
  const seats = [ana, member('students', 2, 'Ben Okafor')]
  return judge(facts({ now: at('2026-05-30T12:00:00Z'), booking, seats })).warnings
}

describe('flight training in 24 consecutive hours (14 CFR 61.195(a))', () => {
  const day1 = [[8, 12]] as const
  const full = [...day1, [14, 18]] as const

  test.each([
    ['day 1 08:00–12:00 and 14:00–18:00', day1, [14, 18], null],
    ['then day 2 08:00–09:00', full, [32, 33], null],
    ['instead day 2 07:30–09:00', full, [31.5, 33], '8.50'],
    ['day 1 16:00–22:00, day 2 06:00–08:00', [[16, 22]], [30, 32], null],
    ['the same to 09:00', [[16, 22]], [30, 33], '9.00'],
    ['before flights that are booked already', [[32, 40]], [24, 25], '9.00'],
    [
      'between two',
      [
        [20, 24],
        [28, 32],
      ],
      [24.5, 25],
      '8.50',
    ],
  ] as const)('%s', (_name, given, booked, hours) => {
    const [warning] = warningsOf(
      booked,
      given.map((span) => flight(span)),
    )
    expect(warning?.message ?? null).toEqual(
      hours && expect.stringContaining(`Ana Ruiz would give ${hours} hours of flight training in 24 hours`),
    )
  })

  test('names the instructor, the rule and the 24 hours', () => {
    expect(
      warningsOf(
        [31.5, 33],
        full.map((span) => flight(span)),
      ),
    ).toMatchObject([
      {
        rule: 'instructor_duty',
        code: 'DUTY_LIMIT',
        field: 'personnel.instructors',
        orgUserId: 1,
        message:
          'Ana Ruiz would give 8.50 hours of flight training in 24 hours (2026-06-01 08:00–2026-06-02 08:00); ' +
          '14 CFR 61.195(a) allows 8',
      },
    ])
  })

  test('does not count the booking itself twice when it moves', () => {
    expect(warningsOf([14, 18], [flight([8, 12]), flight([13, 17], 12)], { id: 12 })).toEqual([])
  })

  test.each([
    ['ground', 'room'],
    ['sim', 'simulator'],
  ] as const)('is not asked of a %s lesson', (type, kind) => {
    const ana = { ...member('instructors', 1, 'Ana Ruiz'), training: [flight([0, 8])] }
    const booking = times({ type, start: hour(8), end: hour(11) })
    const given = { booking, seats: [ana, member('students', 2, 'Ben Okafor')], resource: plane({ kind }) }
    expect(judge(facts({ now: at('2026-05-30T12:00:00Z'), ...given })).warnings).toEqual([])
  })

  test('is the most of every window that a flight is part of, as trying each of them finds', () => {
    const quarter = HOUR_MS / 4
    const span = fc.tuple(fc.integer({ min: 0, max: 60 * 4 }), fc.integer({ min: 1, max: 6 * 4 }))
    const timesOf = ([from, length]: readonly [number, number]) => ({
      start: new Date(from * quarter),
      end: new Date((from + length) * quarter),
    })
    fc.assert(
      fc.property(span, fc.array(span, { maxLength: 8 }), (one, others) => {
        let most = 0
        for (let from = one[0] - 96; from <= one[0] + one[1]; from++) {
          const within = [one, ...others].map(
            ([start, length]) => Math.min(start + length, from + 96) - Math.max(start, from),
          )
          most = Math.max(
            most,
            within.reduce((sum, quarters) => sum + Math.max(quarters, 0), 0),
          )
        }
        expect(busiestWindow(timesOf(one), others.map(timesOf)).total).toBe(most * quarter)
      }),
    )
  })
})
