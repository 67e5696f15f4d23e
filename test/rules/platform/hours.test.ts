import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatReading,
  formatTenths,
  MAX_READING,
  readingFromNumber,
  readingToNumber,
  tenthsBetween,
  tenthsFromHundredths,
} from '../../../src/shared/platform/kernel/hours.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'

describe('a meter reading', () => {
  test.each([
    [1234.56, 123456],
    [1234.5, 123450],
    [0.29, 29],
    [0, 0],
    [999999.99, MAX_READING],
  ])('of %d hours is %i hundredths', (number, count) => {
    expect(readingFromNumber(number)).toBe(count)
    expect(readingToNumber(hundredths(count))).toBe(number)
  })

  test.each([1.005, -1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000, 1e21, 1e-7, 0.1 + 0.2])(
    'is never %d',
    (number) => {
      expect(readingFromNumber(number)).toBeNull()
    },
  )

  test('survives the conversion out and back for every reading a meter can show', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_READING }), (reading) => {
        expect(readingFromNumber(readingToNumber(hundredths(reading)))).toBe(reading)
        expect(readingFromNumber(JSON.parse(JSON.stringify(readingToNumber(hundredths(reading)))) as number)).toBe(
          reading,
        )
      }),
    )
  })

  test('is the same number by division as by its decimal text', () => {
    const differs = (reading: number) =>
      readingToNumber(hundredths(reading)) !== Number(formatReading(hundredths(reading)))
    const wrong: number[] = []
    for (let at = 0; at < 50_000; at++) {
      wrong.push(...[at, MAX_READING - at, -at - 1, at * 1_999].filter(differs))
    }
    expect(wrong).toEqual([])
    fc.assert(fc.property(fc.integer({ min: -MAX_READING, max: MAX_READING }), (reading) => !differs(reading)))
  })

  test('is written with two decimals', () => {
    expect([123450, 5, -150].map((reading) => formatReading(hundredths(reading)))).toEqual(['1234.50', '0.05', '-1.50'])
  })
})

describe('tenths of an hour (§Resources)', () => {
  test('round hundredths half up', () => {
    expect([0, 4, 5, 14, 15, 134].map((time) => tenthsFromHundredths(hundredths(time)))).toEqual([0, 0, 1, 1, 2, 13])
  })

  test('measure the time between two instants, rounded half up', () => {
    const after = (minutes: number) => tenthsBetween(new Date(0), new Date(minutes * 60_000))
    expect([120, 2, 3, 92, 93].map(after)).toEqual([20, 0, 1, 15, 16])
  })

  test('are written with one decimal', () => {
    expect([formatTenths(tenths(14)), formatTenths(tenths(3))]).toEqual(['1.4', '0.3'])
  })
})
