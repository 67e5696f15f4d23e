import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Creditable,
  creditLines,
  decideCredit,
  type RefundWay,
  refundedAfter,
  refundWays,
} from '../../../src/shared/billing/credit-notes/credit.rules.ts'
import { balanceOf, owedBackOf } from '../../../src/shared/billing/invoices/invoice-figures.rules.ts'
import { type Cents, cents, minus, plus, sum, ZERO } from '../../../src/shared/platform/kernel/units.ts'

/** An invoice of 100.00 with these figures. */
function invoice(over: Partial<Record<keyof Creditable, unknown>> = {}): Creditable {
  const figures = {
    totalCents: cents(10_000),
    creditedCents: ZERO,
    amountPaidCents: cents(10_000),
    refundedCents: ZERO,
  }
  return { ...figures, settlement: 'processor', isGuest: false, ...over } as Creditable
}

const asked = (amount: number, refund: RefundWay) => ({ amountCents: cents(amount), refund })

describe('a credit note (§Invoices)', () => {
  test.for([
    ['of a paid invoice is given back whole', {}, asked(2_500, 'processor'), 2_500],
    ['of an unpaid invoice lessens what is due', { amountPaidCents: 0 }, asked(2_500, 'none'), 0],
    ['gives back no more than was paid beyond what is due', { amountPaidCents: 8_000 }, asked(2_500, 'processor'), 500],
    ['gives back no more than itself', { creditedCents: 3_000 }, asked(1_000, 'processor'), 1_000],
    ['leaves the payer’s credit to itself', {}, asked(10_000, 'none'), 0],
    ['of cash goes to the account of the payer', { settlement: 'offline' }, asked(500, 'ledger'), 500],
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
    ['to the account of a guest', { settlement: 'offline', isGuest: true }, asked(500, 'ledger'), 'other_way'],
  ] as const)('is refused: %s', ([, over, request, problem]) => {
    expect(decideCredit(invoice(over), request)).toBe(problem)
  })
})

describe('the lines of a credit note (§Invoices)', () => {
  const lines = [
    { id: 1, description: 'N172FL (wet, Hobbs)', amountCents: cents(20_000) },
    { id: 2, description: 'Instruction', amountCents: cents(8_000) },
    { id: 3, description: 'Discount', amountCents: cents(-1_000) },
  ]
  const of = (itemId: number, amount: number) => ({ itemId, amountCents: cents(amount) })

  test('are those of the invoice in its order, the same line added up', () => {
    expect(creditLines(lines, [], [of(2, 500), of(1, 300), of(2, 7_500)]).items).toEqual([
      { itemId: 1, description: 'N172FL (wet, Hobbs)', amountCents: 300 },
      { itemId: 2, description: 'Instruction', amountCents: 8_000 },
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
    ['a discount', [], [of(3, 1)], 'items.0.amountCents: only -1000 cents are left of this line'],
  ] as const)('are refused: %s', ([, before, asked, problem]) => {
    expect(creditLines(lines, before, asked).problems.map(({ message }) => message)).toEqual([problem])
  })
})

/** What happens to the money of a school, in an order that is drawn. */
const move = fc.record({
  kind: fc.constantFrom('raise', 'pay', 'payOffline', 'credit', 'refunded', 'void', 'deposit'),
  payer: fc.constantFrom('card', 'account', 'guest'),
  nth: fc.nat(5),
  amount: fc.integer({ min: 1, max: 300 }),
  refund: fc.constantFrom(...refundWays),
})
type Move = typeof move extends fc.Arbitrary<infer Drawn> ? Drawn : never
type Payer = Move['payer']

interface Raised extends Creditable {
  payer: Payer
  status: 'open' | 'paid' | 'void'
}

/** A school that does what it is told by the rules, and writes down what its payers see. */
class School {
  readonly invoices: Raised[] = []
  readonly refunds: { of: Raised; wanted: Cents; back: Cents; way: RefundWay; over: boolean }[] = []
  readonly ledger: { payer: Payer; amount: Cents }[] = []
  readonly statement: { payer: Payer; of: Raised | null; amount: number }[] = []

  take({ kind, payer, nth, amount, refund }: Move): void {
    const one = this.invoices[nth % Math.max(this.invoices.length, 1)]
    if (kind === 'raise') this.raise(payer, cents(amount))
    else if (kind === 'deposit') this.deposit(cents(amount))
    else if (kind === 'refunded') this.answerRefund(nth, amount)
    else if (one?.status === 'open' && kind === 'void') one.status = 'void'
    else if (one?.status === 'open' && kind === 'pay') this.pay(one, 'processor')
    else if (one?.status === 'open' && kind === 'payOffline') this.pay(one, 'offline')
    else if (one && one.status !== 'void' && kind === 'credit') this.credit(one, asked(amount, refund))
  }

  private raise(payer: Payer, totalCents: Cents): void {
    const onAccount = payer === 'account'
    const raised: Raised = {
      ...invoice({ totalCents, amountPaidCents: onAccount ? totalCents : ZERO }),
      settlement: onAccount ? 'ledger' : 'processor',
      isGuest: payer === 'guest',
      payer,
      status: onAccount ? 'paid' : 'open',
    }
    this.invoices.push(raised)
    this.note(raised, totalCents)
    if (onAccount) this.ledger.push({ payer, amount: minus(ZERO, totalCents) })
  }

  private deposit(amount: Cents): void {
    this.ledger.push({ payer: 'account', amount })
    this.statement.push({ payer: 'account', of: null, amount: -amount })
  }

  private pay(one: Raised, settlement: 'processor' | 'offline'): void {
    const paid = balanceOf(one)
    Object.assign(one, { status: 'paid', settlement, amountPaidCents: paid })
    this.note(one, -paid)
  }

  private credit(one: Raised, request: ReturnType<typeof asked>): void {
    const credit = decideCredit(one, request)
    if (typeof credit === 'string') return
    Object.assign(one, credit.figures)
    this.note(one, -request.amountCents)
    if (request.refund === 'none') return
    const { refundCents } = credit
    const over = request.refund !== 'processor'
    this.refunds.push({ of: one, wanted: refundCents, back: over ? refundCents : ZERO, way: request.refund, over })
    if (request.refund === 'ledger') this.ledger.push({ payer: one.payer, amount: refundCents })
    if (request.refund === 'offline') this.note(one, refundCents)
  }

  /** The gateway gives back all, a part or nothing of a refund that is under way. */
  private answerRefund(nth: number, amount: number): void {
    const open = this.refunds.filter(({ over }) => !over)
    const refund = open[nth % Math.max(open.length, 1)]
    if (!refund) return
    const back = cents(Math.min(amount, refund.wanted))
    refund.of.refundedCents = refundedAfter(refund.of.refundedCents, refund.wanted, back)
    Object.assign(refund, { back, over: true })
    this.note(refund.of, back)
  }

  private note(of: Raised, amount: number): void {
    this.statement.push({ payer: of.payer, of, amount })
  }
}

describe('the money of a school', () => {
  test('adds up for each payer after any sequence of moves: figures, ledger and statement', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const school = new School()
        for (const one of moves) {
          school.take(one)
          for (const payer of ['card', 'account', 'guest'] as const) expectToAddUp(school, payer)
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

function expectToAddUp({ invoices, refunds, ledger, statement }: School, payer: Payer): void {
  const live = invoices.filter((one) => one.payer === payer && one.status !== 'void')
  const balance = sum(ledger.filter((entry) => entry.payer === payer).map(({ amount }) => amount))
  const underWay = sum(refunds.filter(({ of, over }) => of.payer === payer && !over).map(({ wanted }) => wanted))
  const rows = statement.filter((row) => row.payer === payer && row.of?.status !== 'void')
  const closing = rows.reduce((total, { amount }) => total + amount, 0)
  // What is under way has left the invoice's balance and not reached the payer.
  if (plus(sum(live.map(balanceOf)), cents(-balance - underWay)) !== closing) {
    expect({ live, balance, underWay }).toEqual({ closing })
  }
  for (const one of live) {
    const back = refunds.filter(({ of }) => of === one)
    const given = sum(back.map(({ wanted, back: gave, over }) => (over ? gave : wanted)))
    const holds =
      one.creditedCents <= one.totalCents &&
      one.refundedCents <= one.amountPaidCents &&
      one.refundedCents === given &&
      owedBackOf(one) <= one.creditedCents &&
      (one.status === 'open' || balanceOf(one) <= 0) &&
      back.every(({ way }) => way === one.settlement || (one.settlement === 'offline' && way === 'ledger'))
    if (!holds) expect({ one, back }).toBe('in order')
  }
}
