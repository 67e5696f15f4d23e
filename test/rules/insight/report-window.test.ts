import { describe, expect, test } from 'vitest'
import {
  datesOf,
  type Grouping,
  groupStarts,
  narrowingWindow,
  type Period,
  reportWindow,
  usualGrouping,
} from '../../../src/shared/insight/reports/report-window.rules.ts'
import { Invalid } from '../../../src/shared/platform/kernel/errors.ts'
import type { WindowInput } from '../../../src/shared/platform/kernel/windows.ts'

const zone = 'America/New_York'
/** The evening of November 21 in New York. */
const now = new Date('2026-11-22T02:00:00Z')
const iso = ({ start, end }: { start?: Date; end?: Date }) => [start?.toISOString(), end?.toISOString()]
const windowOf = (input: WindowInput) => reportWindow(input, now, zone)

describe('the window of a report (§Reports)', () => {
  test.each<[string, WindowInput, string, string]>([
    ['is the last 30 local days', {}, '2026-10-23T04:00:00.000Z', '2026-11-22T05:00:00.000Z'],
    [
      'is whole local days of dates',
      { startDate: '2026-11-01', endDate: '2026-11-01' },
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ],
    [
      'is exact with instants',
      { startDate: new Date('2026-11-01T10:00:00Z'), endDate: new Date('2026-11-02T10:00:00Z') },
      '2026-11-01T10:00:00.000Z',
      '2026-11-02T10:00:00.000Z',
    ],
    ['ends today without an end', { startDate: '2026-11-20' }, '2026-11-20T05:00:00.000Z', '2026-11-22T05:00:00.000Z'],
    [
      'starts 30 days before its end without a start',
      { endDate: '2026-06-30' },
      '2026-06-01T04:00:00.000Z',
      '2026-07-01T04:00:00.000Z',
    ],
  ])('%s', (_name, input, start, end) => {
    expect(iso(windowOf(input))).toEqual([start, end])
  })

  test('is at most 400 days, a change of the clocks among them', () => {
    expect(() => windowOf({ startDate: '2025-10-18', endDate: '2026-11-21' })).not.toThrow()
    expect(() => windowOf({ startDate: '2025-10-17', endDate: '2026-11-21' })).toThrow(Invalid)
  })

  test('does not end before it starts', () => {
    expect(() => windowOf({ startDate: '2026-11-02', endDate: '2026-11-01' })).toThrow(
      'endDate: must be after startDate',
    )
  })

  test('narrows a report of the present by the given limits alone', () => {
    expect(iso(narrowingWindow({}, now, zone))).toEqual([undefined, undefined])
    expect(iso(narrowingWindow({ endDate: '2026-11-01' }, now, zone))).toEqual([undefined, '2026-11-02T05:00:00.000Z'])
    expect(iso(narrowingWindow({ startDate: '2026-11-01' }, now, zone))).toEqual([
      '2026-11-01T04:00:00.000Z',
      undefined,
    ])
  })
})

test.each<[Period, string, string]>([
  ['this_month', '2026-11-01', '2026-11-21'],
  ['last_month', '2026-10-01', '2026-10-31'],
  ['last_90_days', '2026-08-24', '2026-11-21'],
])('%s is from %s to %s on November 21', (period, startDate, endDate) => {
  expect(datesOf(period, now, zone)).toEqual({ startDate, endDate })
})

test('the month before January is December', () => {
  const january = new Date('2026-01-15T12:00:00Z')
  expect(datesOf('last_month', january, zone)).toEqual({ startDate: '2025-12-01', endDate: '2025-12-31' })
})

describe('groups (§Reports)', () => {
  test.each<[Grouping, string[]]>([
    ['day', ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02']],
    ['week', ['2026-11-23', '2026-11-30']],
    ['month', ['2026-11-01', '2026-12-01']],
  ])('start on the first day of the %s', (grouping, starts) => {
    expect(groupStarts(windowOf({ startDate: '2026-11-28', endDate: '2026-12-02' }), grouping, zone)).toEqual(starts)
  })

  test('are days up to 60 of them, else weeks', () => {
    expect(usualGrouping(windowOf({ startDate: '2026-09-23', endDate: '2026-11-21' }), zone)).toBe('day')
    expect(usualGrouping(windowOf({ startDate: '2026-09-22', endDate: '2026-11-21' }), zone)).toBe('week')
  })
})
