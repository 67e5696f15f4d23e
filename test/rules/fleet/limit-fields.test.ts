import { describe, expect, test } from 'vitest'
import { assertHasMeters, limitFrom, limitsFrom } from '../../../src/shared/fleet/maintenance/limit-fields.rules.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'

const from = {
  now: new Date('2026-06-03T12:00:00Z'),
  meters: { hobbs: hundredths(120_000), tach: hundredths(100_000), landings: hundredths(50_000) },
  zone: 'UTC',
}
const monthEnd = new Date('2027-06-30T23:59:59.999Z')

describe('the due point of a new limit (§Maintenance)', () => {
  test('is counted from the present when nothing says when the work was done', () => {
    expect(limitFrom({ basis: 'tach', intervalHours: hundredths(5_000) }, null, from).due).toBe(105_000)
    expect(limitFrom({ basis: 'landings', intervalCount: 20 }, null, from).due).toBe(52_000)
    expect(limitFrom({ basis: 'calendar', intervalMonths: 12 }, null, from).dueAt).toEqual(monthEnd)
  })

  test('is counted from the last completion, or given outright', () => {
    const done = { basis: 'tach', intervalHours: hundredths(5_000), lastDoneReading: hundredths(98_000) } as const
    expect(limitFrom(done, null, from)).toMatchObject({ lastDone: 98_000, due: 103_000 })
    expect(limitFrom({ ...done, dueReading: hundredths(101_000) }, null, from).due).toBe(101_000)
    expect(limitFrom({ ...done, dueReading: null }, null, from).due).toBe(103_000)
  })
})

describe('a changed limit (§Maintenance)', () => {
  const stored = limitFrom(
    { basis: 'tach', intervalHours: hundredths(5_000), dueReading: hundredths(101_000) },
    null,
    from,
  )

  test('keeps its due point unless the interval or the last completion changes', () => {
    expect(limitFrom({ basis: 'tach' }, stored, from)).toEqual(stored)
    expect(limitFrom({ basis: 'tach', intervalHours: hundredths(6_000) }, stored, from).due).toBe(106_000)
    expect(limitFrom({ basis: 'tach', dueReading: null }, stored, from).due).toBeNull()
  })

  test('is one of the stored by its basis; those left out go', () => {
    const limits = limitsFrom([{ basis: 'calendar', intervalMonths: 12 }, { basis: 'tach' }], [stored], from)
    expect(limits.map(({ basis, due, dueAt }) => [basis, due, dueAt])).toEqual([
      ['calendar', null, monthEnd],
      ['tach', 101_000, null],
    ])
    expect(limitsFrom([{ basis: 'calendar', intervalMonths: 12 }], [stored], from)).toHaveLength(1)
  })
})

test.each([
  [[{ basis: 'tach', intervalMonths: 2 }], 'limits.0.intervalMonths: does not go with the basis tach'],
  [
    [{ basis: 'landings', intervalHours: hundredths(100) }],
    'limits.0.intervalHours: does not go with the basis landings',
  ],
  [[{ basis: 'calendar', intervalCount: 3 }], 'limits.0.intervalCount: does not go with the basis calendar'],
  [
    [{ basis: 'calendar', intervalMonths: 2, intervalDays: 60 }],
    'limits.0.intervalDays: an interval is in months or in days, not in both',
  ],
  [
    [
      { basis: 'tach', dueReading: hundredths(1) },
      { basis: 'tach', dueReading: hundredths(2) },
    ],
    'limits.1.basis: another limit counts by tach already',
  ],
  [[{ basis: 'landings', dueReading: hundredths(150) }], 'limits.0.dueReading: must be a whole number of landings'],
  [[{ basis: 'calendar' }], 'limits.0.intervalMonths: give an interval, or dueAt'],
  [[{ basis: 'landings' }], 'limits.0.intervalCount: give an interval and the reading it counts from, or dueReading'],
] as const)('the limits %j are refused: %s', (limits, message) => {
  expect(() => limitsFrom(limits, [], from)).toThrow(message)
})

test.each([
  ['simulator', 'tach'],
  ['simulator', 'landings'],
  ['room', 'hobbs'],
] as const)('a %s has no %s', (kind, basis) => {
  const limit = limitFrom({ basis, dueReading: hundredths(100) }, null, from)
  expect(() => assertHasMeters({ kind, name: 'X' }, [limit])).toThrow(`basis: X has no ${basis} meter`)
})
