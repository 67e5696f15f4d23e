import { expect, test } from 'vitest'
import { formatReading, formatTenths, tenthsFromHundredths } from '../../../src/shared/platform/kernel/hours.ts'
import { multiplyRate } from '../../../src/shared/platform/kernel/money.ts'
import {
  basisPoints,
  type Cents,
  cents,
  hundredths,
  minus,
  plus,
  sum,
  tenths,
  times,
  ZERO,
} from '../../../src/shared/platform/kernel/units.ts'

const reading = hundredths(125)
const time = tenths(13)
const rate = cents(18_000)
const share = basisPoints(5_000)

// Each line that is expected to be refused is one that the type check refuses: it fails when one of them is accepted.
test('a number of one unit does not compile where another unit is asked for', () => {
  expect(formatTenths(tenthsFromHundredths(reading))).toBe('1.3')
  // @ts-expect-error: tenths are no hundredths.
  expect(formatReading(time)).toBe('0.13')
  // @ts-expect-error: hundredths are no tenths.
  expect(formatTenths(reading)).toBe('12.5')
  // @ts-expect-error: a share is no rate.
  expect(multiplyRate(time, share)).toBe(6_500)
  // @ts-expect-error: hundredths are no tenths, so the cost would be ten times as high.
  expect(multiplyRate(reading, rate)).toBe(225_000)
  // @ts-expect-error: hundredths and tenths have no sum.
  expect(plus(reading, time)).toBe(138)
  expect(multiplyRate(time, rate)).toBe(23_400)
})

test('a plain number can become a number of any unit', () => {
  // @ts-expect-error: fourteen what?
  expect(formatTenths(14)).toBe('1.4')
  // @ts-expect-error: a sum of plain numbers has no unit.
  expect(formatReading(reading + 75)).toBe('2.00')
  expect(formatReading(plus(reading, hundredths(75)))).toBe('2.00')
  expect(minus(time, tenths(14))).toBe(-1)
  expect(times(tenths(20), 2)).toBe(40)
  expect(plus(ZERO, time)).toBe(13)
  expect(sum([rate, cents(-500)])).toBe(17_500)
  expect(sum<Cents>([])).toBe(0)
})

test('a constructor takes whole numbers only', () => {
  for (const make of [hundredths, tenths, cents, basisPoints]) {
    expect(() => make(1.5)).toThrow(new RangeError('1.5 is not a whole number'))
    expect(() => make(Number.NaN)).toThrow(RangeError)
    expect(() => make(2 ** 53)).toThrow(RangeError)
    expect(make(-3)).toBe(-3)
  }
})
