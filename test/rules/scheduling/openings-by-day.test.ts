import { describe, expect, test } from 'vitest'
import { partsOfDay } from '../../../src/shared/scheduling/openings/openings-by-day.rules.ts'

const times = (date: string, zone: string, given: Parameters<typeof partsOfDay>[2]) =>
  partsOfDay(date, zone, given).map(({ start, end }) => [start, end].map((one) => one.toISOString().slice(11, 16)))

describe('the parts of a day', () => {
  test('are equal, and the last one ends after the latest minute', () => {
    expect(times('2026-11-23', 'UTC', { count: 4 })).toEqual([
      ['00:00', '06:00'],
      ['06:00', '12:00'],
      ['12:00', '18:00'],
      ['18:00', '00:00'],
    ])
    expect(times('2026-11-23', 'UTC', { earliestMinute: 480, latestMinute: 600, count: 2 })).toEqual([
      ['08:00', '09:01'],
      ['09:01', '10:01'],
    ])
  })

  test('are of local time', () => {
    expect(times('2026-11-23', 'America/Los_Angeles', { earliestMinute: 0, latestMinute: 1439, count: 2 })).toEqual([
      ['08:00', '20:00'],
      ['20:00', '08:00'],
    ])
  })

  test.for(['2027-03-14', '2027-11-07'])('cover the day of a clock change once: %s', (date) => {
    const parts = partsOfDay(date, 'America/New_York', { count: 96 })
    const bounds = parts.flatMap(({ start, end }) => [start.getTime(), end.getTime()])
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
    for (const [at, { start }] of parts.entries()) {
      if (at > 0) expect(start).toEqual(parts[at - 1]?.end)
    }
    const hours = (parts.at(-1)!.end.getTime() - parts[0]!.start.getTime()) / 3_600_000
    expect(hours).toBe(date.includes('-03-') ? 23 : 25)
  })
})
