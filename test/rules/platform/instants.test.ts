import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatInstant,
  overlaps,
  parseInstant,
  parseTimestamp,
  readInstant,
} from '../../../src/shared/platform/kernel/instants.ts'

describe('an instant (§Conventions that hold across the interface)', () => {
  test.each([
    ['2026-03-08T10:00:00Z', '2026-03-08T10:00:00.000Z'],
    ['2026-03-08T10:00:00-05:00', '2026-03-08T15:00:00.000Z'],
    ['2026-03-08T10:00+05:45', '2026-03-08T04:15:00.000Z'],
    ['2026-03-08T10:00:00.1239Z', '2026-03-08T10:00:00.123Z'],
    ['2026-03-08T10:00:00.5+0200', '2026-03-08T08:00:00.500Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2199-12-31T23:59:59.999Z', '2199-12-31T23:59:59.999Z'],
  ])('is read from %s', (text, expected) => {
    expect(parseInstant(text)?.toISOString()).toBe(expected)
  })

  test.each([
    '2026-03-08T10:00:00',
    '2026-03-08',
    '2026-03-08 10:00:00Z',
    '2026-02-30T10:00:00Z',
    '2025-02-29T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-08T24:00:00Z',
    '2026-03-08T10:60:00Z',
    '2026-03-08T10:00:00+24:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+01:00',
    '2200-01-01T00:00:00Z',
    '+002026-03-08T10:00:00Z',
    'tomorrow',
    '',
  ])('is not read from "%s"', (text) => {
    expect(parseInstant(text)).toBeNull()
  })

  test.each([
    ['2026-03-08T10:00:00', 'local'],
    ['2026-03-08T10:00', 'local'],
    ['2200-01-01T10:00:00', 'local'],
    ['2026-02-30T10:00:00', 'malformed'],
    ['2026-02-30T10:00:00Z', 'malformed'],
    ['2026-03-08', 'malformed'],
    ['tomorrow', 'malformed'],
    ['', 'malformed'],
    ['1969-12-31T23:59:59Z', 'outside'],
    ['2200-01-01T00:00:00Z', 'outside'],
    ['0001-01-01T00:00:00Z', 'outside'],
  ])('is not read from "%s" because it is %s', (text, why) => {
    expect(readInstant(text)).toBe(why)
  })

  test('is read back exactly as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) - 1 }), (epoch) => {
        expect(parseInstant(new Date(epoch).toISOString())?.getTime()).toBe(epoch)
      }),
    )
  })
})

describe('intervals', () => {
  const interval = (start: number, end: number) => ({ start: new Date(start), end: new Date(end) })

  test('overlap when they share a moment, and not when they are back to back', () => {
    expect(overlaps(interval(0, 10), interval(9, 20))).toBe(true)
    expect(overlaps(interval(0, 10), interval(10, 20))).toBe(false)
    expect(overlaps(interval(10, 20), interval(0, 10))).toBe(false)
    expect(overlaps(interval(0, 30), interval(10, 20))).toBe(true)
  })
})

describe('an instant in a response (§Conventions that hold across the interface)', () => {
  test('is what toISOString writes, for every instant', () => {
    const instant = fc.date({ noInvalidDate: true })
    const nearby = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(fc.property(fc.oneof(instant, nearby), (date) => formatInstant(date) === date.toISOString()))
  })

  test.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [951_782_400_000, '2000-02-29T00:00:00.000Z'],
    [951_868_799_999, '2000-02-29T23:59:59.999Z'],
    [1_709_164_800_000, '2024-02-29T00:00:00.000Z'],
    [4_107_542_400_000, '2100-03-01T00:00:00.000Z'],
  ])('is written from %d', (epoch, expected) => {
    expect(formatInstant(new Date(epoch))).toBe(expected)
  })

  test('is refused when it is no date', () => {
    expect(() => formatInstant(new Date(Number.NaN))).toThrow(RangeError)
  })
})

describe('an instant of a row', () => {
  test.each([
    ['2026-03-08 10:00:00+00', '2026-03-08T10:00:00.000Z'],
    ['2026-03-08 10:00:00.5+00', '2026-03-08T10:00:00.500Z'],
    ['2026-03-08 10:00:00.1239+00', '2026-03-08T10:00:00.123Z'],
    ['2024-02-29 23:59:59.999999+00', '2024-02-29T23:59:59.999Z'],
    ['1969-12-31 23:59:59.07+00', '1969-12-31T23:59:59.070Z'],
  ])('is read from %s', (text, expected) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(expected)
  })

  test.each([
    '2026-03-08 10:00:00+05:30',
    '2026-03-08 10:00:00-03',
    '12026-03-08 10:00:00+00',
    '0044-03-15 10:00:00+00 BC',
    '0044-03-15 10:00:00+00',
    'infinity',
    '-infinity',
  ])('is left to the driver in the form %s', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })
})
