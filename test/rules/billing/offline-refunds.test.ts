import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OfflinePayment, spreadRefunds } from '../../../src/shared/billing/payments/payment.rules.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

const paid = (amount: number, refunded = 0, reversed = 0): OfflinePayment => ({
  amountCents: cents(amount),
  refundedCents: cents(refunded),
  reversedCents: cents(reversed),
})

describe('what is given back of payments past the processor (decision 32)', () => {
  test.for<[string, OfflinePayment[], number, number[]]>([
    ['nothing, of nothing', [], 0, []],
    ['the latest first', [paid(100), paid(150)], 120, [0, 120]],
    ['then the one before it', [paid(100), paid(150)], 180, [30, 150]],
    ['on top of what went back before', [paid(100), paid(150, 120)], 180, [30, 150]],
    ['a later payment takes only what goes back after it', [paid(100, 40), paid(50)], 60, [40, 20]],
    ['not of a payment that was reversed', [paid(100), paid(150, 0, 150)], 60, [60, 0]],
    ['a refund that is declined comes off the oldest first', [paid(100, 30), paid(150, 150)], 120, [0, 120]],
    ['what was never at hand, for the constraint to refuse', [paid(100), paid(150)], 251, [101, 150]],
    ['less than nothing, for the constraint to refuse', [paid(100), paid(150)], -1, [0, -1]],
  ])('%s', ([, payments, refunded, spread]) => {
    expect(spreadRefunds(payments, cents(refunded))).toEqual(spread)
  })

  const payment = fc.record({ amount: fc.integer({ min: 1, max: 500 }), reversed: fc.boolean() })

  test('adds up, and is never more of one payment than it brought; a refund that is declined leaves no trace', () => {
    fc.assert(
      fc.property(
        fc.array(payment, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(400)),
        fc.nat(400),
        (drawn, refunds, last) => {
          let payments = drawn.map(({ amount, reversed }) => paid(amount, 0, reversed ? amount : 0))
          const room = drawn.reduce((sum, { amount, reversed }) => sum + (reversed ? 0 : amount), 0)
          let total = 0
          const bring = (to: number) => {
            const spread = spreadRefunds(payments, cents(to))
            payments = payments.map((one, index) => ({ ...one, refundedCents: spread[index]! }))
            total = to
            expect(spread.reduce((sum, part) => sum + part, 0)).toBe(to)
            for (const { amountCents, reversedCents, refundedCents } of payments) {
              expect(refundedCents).toBeGreaterThanOrEqual(0)
              expect(refundedCents).toBeLessThanOrEqual(amountCents - reversedCents)
            }
          }
          for (const refund of refunds) bring(Math.min(total + refund, room))
          const before = payments
          const paidBack = total
          bring(Math.min(total + last, room))
          bring(paidBack)
          expect(payments).toEqual(before)
        },
      ),
    )
  })
})
