import { describe, expect, test } from 'vitest'
import {
  type Creditable,
  creditLines,
  decideCredit,
  decideRefundOf,
  needsSecondAdmin,
  type RefundWay,
  refundAgainProblem,
} from '../../../src/shared/billing/credit-notes/credit.rules.ts'
import { cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

/** An invoice of 100.00 with these figures. */
function invoice(over: Partial<Record<keyof Creditable, unknown>> = {}): Creditable {
  const figures = {
    totalCents: cents(10_000),
    creditedCents: ZERO,
    amountPaidCents: cents(10_000),
    refundedCents: ZERO,
    ledgerPaidCents: ZERO,
    ledgerRefundedCents: ZERO,
  }
  const all = { ...figures, settlement: 'processor', isGuest: false, ...over } as Creditable
  const { settlement, amountPaidCents, refundedCents } = all
  const atGateway = settlement === 'processor'
  const gatewayPaidCents = atGateway ? amountPaidCents : ZERO
  return { ...all, gatewayPaidCents, gatewayRefundedCents: atGateway ? refundedCents : ZERO }
}

const asked = <Way extends RefundWay>(amount: number, refund: Way) => ({ amountCents: cents(amount), refund })

describe('a credit note (§Invoices)', () => {
  test.for([
    ['of a paid invoice is given back whole', {}, asked(2_500, 'processor'), 2_500],
    ['of an unpaid invoice lessens what is due', { amountPaidCents: 0 }, asked(2_500, 'none'), 0],
    ['gives back no more than was paid beyond what is due', { amountPaidCents: 8_000 }, asked(2_500, 'processor'), 500],
    ['gives back no more than itself', { creditedCents: 3_000 }, asked(1_000, 'processor'), 1_000],
    ['leaves the payer’s credit to itself', {}, asked(10_000, 'none'), 0],
    ['of cash goes to the account of the payer', { settlement: 'offline' }, asked(500, 'ledger'), 500],
    [
      'of what the ledger paid in part goes back there',
      { settlement: 'offline', ledgerPaidCents: 6_000 },
      asked(7_000, 'ledger'),
      7_000,
    ],
    [
      'by hand is at most what did not come from the ledger',
      { settlement: 'offline', ledgerPaidCents: 6_000 },
      asked(7_000, 'offline'),
      4_000,
    ],
    [
      'by hand leaves out what went to the ledger beyond what came from it',
      {
        settlement: 'offline',
        creditedCents: 8_000,
        ledgerPaidCents: 6_000,
        refundedCents: 8_000,
        ledgerRefundedCents: 8_000,
      },
      asked(2_000, 'offline'),
      2_000,
    ],
    ['of what the account paid goes back there', { settlement: 'ledger' }, asked(500, 'ledger'), 500],
  ] as const)('%s', ([, over, request, refundCents]) => {
    expect(decideCredit(invoice(over), request)).toMatchObject({ refundCents })
  })

  test.for([
    ['above what is left', { creditedCents: 9_000 }, asked(1_001, 'none'), 'exceeds'],
    ['of what nobody paid', { amountPaidCents: 0 }, asked(500, 'processor'), 'nothing_to_refund'],
    ['of what went back before', { refundedCents: 10_000 }, asked(500, 'processor'), 'nothing_to_refund'],
    ['to a card that did not pay', { settlement: 'offline' }, asked(500, 'processor'), 'other_way'],
    ['by hand of what the card paid', {}, asked(500, 'offline'), 'other_way'],
    [
      'by hand of what the ledger paid',
      { settlement: 'offline', ledgerPaidCents: 10_000 },
      asked(500, 'offline'),
      'other_way',
    ],
    ['to the account of a guest', { settlement: 'offline', isGuest: true }, asked(500, 'ledger'), 'other_way'],
  ] as const)('is refused: %s', ([, over, request, problem]) => {
    expect(decideCredit(invoice(over), request)).toBe(problem)
  })
})

describe('the money of a credit note that is given back later (§Invoices)', () => {
  test.for([
    ['is the credit, of an invoice credited in full', { creditedCents: 10_000 }, asked(10_000, 'processor'), 10_000],
    ['is no more than the credit', { creditedCents: 6_000 }, asked(2_500, 'processor'), 2_500],
    ['is what later refunds left', { creditedCents: 6_000, refundedCents: 5_000 }, asked(2_500, 'processor'), 1_000],
    [
      'is no more than what is paid beyond what is due',
      { creditedCents: 3_000, amountPaidCents: 8_000 },
      asked(3_000, 'processor'),
      1_000,
    ],
    [
      'is none, when another way gave all back',
      { creditedCents: 6_000, refundedCents: 6_000 },
      asked(2_500, 'processor'),
      'nothing_to_refund',
    ],
    [
      'is none of an unpaid invoice',
      { creditedCents: 6_000, amountPaidCents: 0 },
      asked(2_500, 'processor'),
      'nothing_to_refund',
    ],
    ['is not of another way', { creditedCents: 6_000 }, asked(2_500, 'offline'), 'other_way'],
  ] as const)('%s', ([, over, request, expected]) => {
    expect(decideRefundOf(invoice(over), request)).toBe(expected)
  })

  test.for([
    ['none', 0, null],
    ['failed', 0, null],
    ['waiting', 0, 'under_way'],
    ['pending', 0, 'under_way'],
    ['succeeded', 500, 'went_back'],
    ['failed', 500, 'went_back'],
  ] as const)('of one that is %s with %i cents given back: %s', ([refundStatus, refunded, problem]) => {
    expect(refundAgainProblem({ refundStatus, refundedCents: cents(refunded) })).toBe(problem)
  })
})

describe('a refund that waits for a second admin (§Invoices: refundApprovalCents)', () => {
  const gave = (refund: number, of: 'invoice' | 'payer', day: 'today' | 'before') => ({
    refundCents: cents(refund),
    onInvoice: of === 'invoice',
    today: day === 'today',
  })

  test.for([
    ['without a limit', null, 1_000_000, [gave(1_000_000, 'invoice', 'today')], false],
    ['of just the limit', 5_000, 5_000, [], false],
    ['of a cent above the limit', 5_000, 5_001, [], true],
    ['that fills the limit of the invoice', 5_000, 2_500, [gave(2_500, 'invoice', 'before')], false],
    ['a cent above it', 5_000, 2_501, [gave(2_500, 'invoice', 'before')], true],
    [
      'a cent above it in three parts',
      5_000,
      1_001,
      [gave(2_000, 'invoice', 'before'), gave(2_000, 'invoice', 'today')],
      true,
    ],
    ['that fills the limit of the payer’s day', 5_000, 2_500, [gave(2_500, 'payer', 'today')], false],
    ['a cent above that, on another invoice', 5_000, 2_501, [gave(2_500, 'payer', 'today')], true],
    ['on another day and invoice', 5_000, 2_501, [gave(2_500, 'payer', 'before')], false],
    [
      'of an earlier day and another invoice of today, each by itself',
      5_000,
      2_000,
      [gave(3_000, 'invoice', 'before'), gave(3_000, 'payer', 'today')],
      false,
    ],
    ['with a limit of nothing', 0, 1, [], true],
  ] as const)('%s', ([, limit, refund, before, waits]) => {
    expect(needsSecondAdmin(limit === null ? null : cents(limit), cents(refund), before)).toBe(waits)
  })
})

describe('the lines of a credit note (§Invoices)', () => {
  const lines = [
    { id: 1, description: 'N172FL (wet, Hobbs)', amountCents: cents(20_000), taxCents: ZERO },
    { id: 2, description: 'Instruction', amountCents: cents(8_000), taxCents: ZERO },
    { id: 3, description: 'Discount', amountCents: cents(-1_000), taxCents: ZERO },
  ]
  const of = (itemId: number, amount: number) => ({ itemId, amountCents: cents(amount) })

  const taxed = [{ id: 1, description: 'Rental', amountCents: cents(10_000), taxCents: cents(2_000) }]
  test.for([
    ['the amount without tax', [], [of(1, 10_000)], 12_000, 2_000],
    ['the amount without tax in two parts', [], [of(1, 4_000), of(1, 6_000)], 12_000, 2_000],
    ['the amount with tax', [], [of(1, 12_000)], 12_000, 2_000],
    ['a part, with the tax within it', [], [of(1, 6_000)], 6_000, 1_000],
    ['the amount without tax after another credit', [of(1, 600)], [of(1, 10_000)], 10_000, 1_667],
  ] as const)('with tax, by %s', ([, before, asked, amountCents, taxCents]) => {
    const { items, problems } = creditLines(taxed, before, asked)
    expect(problems).toEqual([])
    expect(items).toEqual([{ itemId: 1, description: 'Rental', amountCents, taxCents }])
  })

  test('are those of the invoice in its order, the same line added up', () => {
    expect(creditLines(lines, [], [of(2, 500), of(1, 300), of(2, 7_500)]).items).toEqual([
      { itemId: 1, description: 'N172FL (wet, Hobbs)', amountCents: 300, taxCents: 0 },
      { itemId: 2, description: 'Instruction', amountCents: 8_000, taxCents: 0 },
    ])
  })

  test.for([
    ['a line that the invoice does not have', [], [of(9, 100)], 'items.0.itemId: the invoice has no such line'],
    ['more than a line', [], [of(2, 500), of(2, 7_501)], 'items.1.amountCents: only 8000 cents are left of this line'],
    [
      'more than is left of it',
      [of(2, 3_000)],
      [of(2, 5_001)],
      'items.0.amountCents: only 5000 cents are left of this line',
    ],
    [
      'a discount',
      [],
      [of(3, 1)],
      'items.0.itemId: this line is a discount; credit other lines, or amountCents of the whole invoice',
    ],
  ] as const)('are refused: %s', ([, before, asked, problem]) => {
    expect(creditLines(lines, before, asked).problems.map(({ message }) => message)).toEqual([problem])
  })
})
