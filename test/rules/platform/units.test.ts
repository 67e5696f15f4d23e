import { expect, test } from 'vitest'
import { formatReading, formatTenths, tenthsFromHundredths } from '../../../src/shared/platform/kernel/hours.ts'
import { multiplyRate } from '../../../src/shared/platform/kernel/money.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../../src/shared/platform/kernel/units.ts'

const reading: Hundredths = 125
const time: Tenths = 13
const rate: Cents = 18_000
const share: BasisPoints = 5_000

// Each line that is expected to be refused is one that the type check refuses: it fails when one of them is accepted.
test('a number of one unit is refused where another unit is asked for', () => {
  expect(formatTenths(tenthsFromHundredths(reading))).toBe('1.3')
  // @ts-expect-error: tenths are no hundredths.
  expect(formatReading(time)).toBe('0.13')
  // @ts-expect-error: hundredths are no tenths.
  expect(formatTenths(reading)).toBe('12.5')
  // @ts-expect-error: a share is no rate.
  expect(multiplyRate(time, share)).toBe(6_500)
  // @ts-expect-error: hundredths are no tenths, so the cost would be ten times as high.
  expect(multiplyRate(reading, rate)).toBe(225_000)
  expect(multiplyRate(time, rate)).toBe(23_400)
})

test('a plain number is one of any unit', () => {
  expect(formatTenths(14)).toBe('1.4')
  expect(formatReading(reading + 75)).toBe('2.00')
})
