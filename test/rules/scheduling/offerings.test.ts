import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { pricingProblem } from '../../../src/shared/scheduling/offerings/offering.rules.ts'

describe('the price of an offering (§Reservation)', () => {
  test.each([
    ['prepaid_fixed', null, false],
    ['prepaid_fixed', 0, false],
    ['prepaid_fixed', 49, false],
    ['prepaid_fixed', 50, true],
    ['close_out', null, true],
    ['close_out', 0, true],
    ['close_out', 49, true],
  ] as const)('fits an offering that is charged as %s when it is %s cents: %s', (collectionStyle, price, fits) => {
    const priceCents = price === null ? null : cents(price)
    expect(pricingProblem({ collectionStyle, priceCents }) === null).toBe(fits)
  })

  test('of a package is an amount that a card can be charged', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000 }).map(cents), (priceCents) => {
        const problem = pricingProblem({ collectionStyle: 'prepaid_fixed', priceCents })
        return (problem === null) === priceCents >= 50
      }),
    )
  })
})
