import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatMoney,
  hasCents,
  multiplyRate,
  splitByWeights,
  splitEvenly,
} from '../../../src/shared/platform/kernel/money.ts'
import { type Cents, cents, tenths } from '../../../src/shared/platform/kernel/units.ts'

describe('the parts of a split amount (§Reservations rule 5)', () => {
  test('are even, with the remainder to the first', () => {
    expect(splitEvenly(cents(1000), 3)).toEqual([334, 333, 333])
    expect(splitEvenly(cents(2), 3)).toEqual([2, 0, 0])
  })

  test('are rounded down by weight, with what is left to the leader', () => {
    expect(splitByWeights(cents(1001), [1, 2], 0)).toEqual([334, 667])
    expect(splitByWeights(cents(1001), [1, 2], 1)).toEqual([333, 668])
    expect(splitByWeights(cents(1001), [0, 1, 1])).toEqual([0, 501, 500])
  })

  test('are exact where floating point is not', () => {
    expect(splitByWeights(cents(Number.MAX_SAFE_INTEGER), [1n, 10n ** 30n], 1)).toEqual([0, Number.MAX_SAFE_INTEGER])
  })

  test('are refused for an amount that cannot be split', () => {
    expect(() => splitEvenly(cents(100), 0)).toThrow(RangeError)
    expect(() => splitEvenly(cents(-1), 2)).toThrow(RangeError)
    expect(() => splitEvenly(0.5 as Cents, 2)).toThrow(RangeError)
    expect(() => splitByWeights(cents(100), [0, 0])).toThrow(RangeError)
    expect(() => splitByWeights(cents(100), [1, -1])).toThrow(RangeError)
  })

  test('always add up, are never negative, and differ from the exact part by less than the number of parts', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.maxSafeNat().map(cents), weights, (total, ws) => {
        fc.pre(ws.some((w) => w > 0n))
        const sum = ws.reduce((a, b) => a + b, 0n)
        const parts = splitByWeights(total, ws)
        expect(parts.reduce<number>((a, b) => a + b, 0)).toBe(total)
        parts.forEach((part, i) => {
          expect(part).toBeGreaterThanOrEqual(0)
          const over = BigInt(part) - (BigInt(total) * ws[i]!) / sum
          expect(over >= 0n && over < BigInt(ws.length)).toBe(true)
        })
      }),
    )
  })
})

describe('an amount from a rate and a time', () => {
  test('is rounded half up to the cent', () => {
    expect(multiplyRate(tenths(14), cents(16500))).toBe(23100)
    expect(multiplyRate(tenths(1), cents(15))).toBe(2)
    expect(multiplyRate(tenths(1), cents(14))).toBe(1)
    expect(multiplyRate(tenths(0), cents(16500))).toBe(0)
  })

  test('is refused for negative time and for amounts beyond what is exact', () => {
    expect(() => multiplyRate(tenths(-1), cents(100))).toThrow(RangeError)
    expect(() => multiplyRate(tenths(10_000_000), cents(Number.MAX_SAFE_INTEGER))).toThrow(RangeError)
  })
})

describe('an amount as text', () => {
  test.each([
    [123450, 'usd', '$1,234.50'],
    [-5, 'USD', '-$0.05'],
    [500, 'jpy', '¥500'],
    [9007199254740991, 'usd', '$90,071,992,547,409.91'],
  ])('of %i %s is written %s', (amount, currency, text) => {
    expect(formatMoney(cents(amount), currency)).toBe(text)
  })
})

describe('a currency', () => {
  test.each(['usd', 'EUR', 'gbp', 'huf', 'cop', 'inr'])('with hundredths, %s, has cents', (code) => {
    expect(hasCents(code)).toBe(true)
  })

  test.each(['jpy', 'clp', 'kwd', 'BHD', 'isk', 'xyz', 'zzz', ''])(
    'without hundredths, %s, has no cents or is unknown',
    (code) => {
      expect(hasCents(code)).toBe(false)
    },
  )

  test('whose coins are out of use is still written with hundredths', () => {
    expect(formatMoney(cents(1_234_550), 'huf')).toBe('HUF\u00a012,345.50')
  })
})
