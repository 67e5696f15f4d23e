import { describe, expect, test } from 'vitest'
import { automaticPart, isReversible, ledgerProblem } from '../../../src/shared/billing/payments/payment.rules.ts'
import { cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const due = (amount: number) => ({
  totalCents: cents(amount),
  creditedCents: ZERO,
  amountPaidCents: ZERO,
  refundedCents: ZERO,
})

describe('a payment from the ledger (§Invoices: POST payments)', () => {
  test.for([
    ['of all that is due', 10_000, 10_000, null],
    ['that leaves 50 cents', 9_950, 10_000, null],
    ['that leaves 49 cents', 9_951, 10_000, 'leaves_too_little'],
    ['of a cent more than is due', 10_001, 20_000, 'exceeds_due'],
    ['of a cent more than the ledger has', 5_001, 5_000, 'exceeds_balance'],
    ['from an empty ledger', 1, 0, 'exceeds_balance'],
    ['from a ledger that is overdrawn', 1, -500, 'exceeds_balance'],
  ] as const)('%s: %i of 10,000 with %i there is %s', ([, amount, balance, problem]) => {
    expect(ledgerProblem(due(10_000), cents(amount), cents(balance))).toBe(problem)
  })

  test.for([
    ['all, when the ledger has it', 10_000, 12_000, 10_000],
    ['all, to the cent', 10_000, 10_000, 10_000],
    ['what there is', 10_000, 4_000, 4_000],
    ['less, so that 50 cents stay', 10_000, 9_980, 9_950],
    ['a few cents, when 50 stay', 60, 5, 5],
    ['nothing of 50 cents that it does not have', 50, 49, 0],
    ['nothing, when nothing is there', 10_000, 0, 0],
    ['nothing, when it is overdrawn', 10_000, -5, 0],
    ['nothing, when nothing is due', 0, 500, 0],
  ] as const)('by itself is %s: of %i with %i there, %i', ([, owed, balance, part]) => {
    expect(automaticPart(cents(owed), cents(balance))).toBe(part)
  })
})

describe('the reversal of a payment (§Invoices: POST payments/{paymentId}/reverse)', () => {
  const paid = { ...due(10_000), amountPaidCents: cents(10_000), gatewayPaidCents: ZERO, gatewayRefundedCents: ZERO }
  const half = { ...paid, ledgerPaidCents: cents(5_000), ledgerRefundedCents: ZERO }

  test.for([
    ['of cash, when cash went back', { refundedCents: 1 }, 'cash', false],
    ['of cash, when the ledger got its own back', { refundedCents: 5_000, ledgerRefundedCents: 5_000 }, 'cash', true],
    ['of what the ledger paid, when cash went back', { refundedCents: 5_000 }, 'ledger', true],
    ['of what the ledger paid, when it got a part', { refundedCents: 5_001, ledgerRefundedCents: 1 }, 'ledger', false],
  ] as const)('%s: %j', ([, back, method, possible]) => {
    const figures = { ...half, ...back } as typeof half
    expect(isReversible(figures, { method, amountCents: cents(5_000) })).toBe(possible)
  })
})
