import { describe, expect, test } from 'vitest'
import {
  isClosedInPart,
  type KnownPayment,
  overpaidBy,
  paymentsToAdd,
  refundedOutside,
  reversalsOf,
} from '../../../src/shared/billing/payments/gateway-money.rules.ts'
import type { GatewayMoney } from '../../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const money = (over: Partial<GatewayMoney>): GatewayMoney => ({
  payments: [],
  refunds: [],
  disputes: [],
  invoice: {} as never,
  ...over,
})
const paid = (id: string, amount: number) => ({ id, paidCents: cents(amount), paidAt: null, method: 'card' as const })
const known = (id: number, gatewayPayment: string | null, amount: number, reversed = 0): KnownPayment => ({
  id,
  gatewayPayment,
  amountCents: cents(amount),
  reversedCents: cents(reversed),
})
const dispute = (status: 'open' | 'won' | 'lost', amount: number) => ({
  status,
  amountCents: cents(amount),
  evidenceDueAt: null,
})

describe('the payments of an invoice at the processor (§Invoices)', () => {
  test.for<[string, KnownPayment[], string[]]>([
    ['all, when none is stored', [], ['a', 'b']],
    ['those that are not stored', [known(1, 'a', 100)], ['b']],
    ['none, when one is stored for all of them', [known(1, null, 300)], []],
  ])('are added: %s', ([, stored, added]) => {
    const at = money({ payments: [paid('a', 100), paid('b', 200), paid('c', 0)] })
    expect(paymentsToAdd(stored, at).map(({ id }) => id)).toEqual(added)
  })

  test.for<[string, GatewayMoney['disputes'], [number, number][]]>([
    ['nothing by an open dispute', [dispute('open', 300)], []],
    ['nothing by one that was won', [dispute('won', 300)], []],
    ['a part by a lost one', [dispute('lost', 60)], [[1, 60]]],
    ['of the oldest first', [dispute('lost', 150)], [[1, 100], [2, 50]]], // biome-ignore format: one line a case
    ['never more than came in', [dispute('lost', 900)], [[1, 100], [2, 200]]], // biome-ignore format: one line a case
  ])('are reversed: %s', ([, disputes, expected]) => {
    const reversed = reversalsOf([known(1, 'a', 100), known(2, 'b', 200)], money({ disputes }))
    expect(reversed.map((one) => [one.id, one.cents])).toEqual(expected)
  })

  test('are as before when the dispute is known, and whole again when it is won after all', () => {
    expect(reversalsOf([known(1, 'a', 100, 100)], money({ disputes: [dispute('lost', 100)] }))).toEqual([])
    expect(reversalsOf([known(1, 'a', 100, 100)], money({ disputes: [dispute('won', 100)] }))).toEqual([
      { id: 1, cents: 0 },
    ])
  })
})

test('a refund with a key is the service’s own', () => {
  const refunds = [
    { key: 'ref_1', amountCents: cents(500) },
    { key: null, amountCents: cents(70) },
  ]
  expect(refundedOutside(money({ refunds }))).toBe(70)
})

test.for([
  [0, 40, 40],
  [10, 10, 0],
  [10, 0, 0],
] as const)('what is owed back goes from %s to %s: %s came in above what is due', ([before, after, over]) => {
  expect(overpaidBy(cents(before), cents(after))).toBe(over === 0 ? ZERO : over)
})

test.for([
  ['paid', [300, 600], false],
  ['paid', [300], true],
  // By cash, as somebody noted at the processor.
  ['paid', [], false],
  ['open', [300], false],
] as const)(
  'an invoice of 900 that is %s there with payments of %j was closed in part: %s',
  ([status, amounts, closed]) => {
    const invoice = { status, totalCents: cents(900) } as GatewayMoney['invoice']
    const payments = amounts.map((amount, index) => paid(`pi_${index}`, amount))
    expect(isClosedInPart(money({ invoice, payments }))).toBe(closed)
  },
)
