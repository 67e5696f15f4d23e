import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Creditable,
  decideCredit,
  type RefundWay,
  refundWays,
} from '../../../src/shared/billing/credit-notes/credit.rules.ts'
import { balanceOf, owedBackOf } from '../../../src/shared/billing/invoices/invoice-figures.rules.ts'
import {
  afterPayment,
  leftAtProcessor,
  leftOffline,
  paymentProblem,
} from '../../../src/shared/billing/payments/payment.rules.ts'
import { type Cents, cents, minus, plus, sum, ZERO } from '../../../src/shared/platform/kernel/units.ts'

/** What happens to the money of a school, in an order that is drawn. */
const move = fc.record({
  kind: fc.constantFrom(
    ...(['raise', 'pay', 'payOffline', 'payPart', 'bounce', 'credit', 'refunded', 'void', 'deposit'] as const),
    ...(['loseDispute', 'refundOutside'] as const),
  ),
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

interface Paid {
  of: Raised
  way: 'processor' | 'offline'
  left: Cents
}

interface Refund {
  of: Raised
  wanted: Cents
  back: Cents
  way: RefundWay
  over: boolean
}

const NOW = { now: new Date('2026-11-21T12:00:00Z'), invoicedAt: new Date('2026-11-20T12:00:00Z') }

/** A school that does what it is told by the rules, and writes down what its payers see. */
class School {
  readonly invoices: Raised[] = []
  readonly payments: Paid[] = []
  readonly refunds: Refund[] = []
  readonly ledger: { payer: Payer; amount: Cents }[] = []
  readonly statement: { payer: Payer; of: Raised | null; amount: number }[] = []

  take({ kind, payer, nth, amount, refund }: Move): void {
    const one = this.invoices[nth % Math.max(this.invoices.length, 1)]
    const payment = this.payments[nth % Math.max(this.payments.length, 1)]
    if (kind === 'raise') this.raise(payer, cents(amount))
    else if (kind === 'deposit') this.deposit(cents(amount))
    else if (kind === 'refunded') this.answerRefund(nth, amount)
    else if (kind === 'bounce') this.bounce(payment)
    else if (kind === 'loseDispute') this.loseDispute(payment)
    else if (!one || one.status === 'void') return
    else if (kind === 'credit') this.credit(one, { amountCents: cents(amount), refund })
    else if (kind === 'refundOutside') this.refundOutside(one, cents(amount))
    else if (one.status === 'paid') return
    else if (kind === 'void' && one.amountPaidCents === 0) one.status = 'void'
    else if (kind === 'pay') this.pay(one, 'processor', balanceOf(one))
    else if (kind === 'payOffline') this.pay(one, 'offline', balanceOf(one))
    else if (kind === 'payPart') this.pay(one, 'offline', cents(amount))
  }

  private raise(payer: Payer, totalCents: Cents): void {
    const onAccount = payer === 'account'
    const raised: Raised = {
      ...{ totalCents, amountPaidCents: onAccount ? totalCents : ZERO, creditedCents: ZERO, refundedCents: ZERO },
      ...{ processorPaidCents: ZERO, processorRefundedCents: ZERO },
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

  private pay(one: Raised, way: Paid['way'], amountCents: Cents): void {
    if (way === 'offline' && paymentProblem(one, { amountCents, receivedAt: NOW.now }, NOW)) return
    Object.assign(one, afterPayment(one, way, amountCents))
    if (balanceOf(one) <= 0) Object.assign(one, { status: 'paid', settlement: way })
    this.payments.push({ of: one, way, left: amountCents })
    this.note(one, -amountCents)
  }

  /** A check bounces, unless its money was given back. */
  private bounce(payment: Paid | undefined): void {
    if (payment?.way !== 'offline' || leftOffline(payment.of) < payment.left) return
    this.takeBack(payment, payment.left)
  }

  /** The bank takes back what a card paid and the school has not given back. */
  private loseDispute(payment: Paid | undefined): void {
    if (payment?.way !== 'processor') return
    this.takeBack(payment, cents(Math.min(payment.left, leftAtProcessor(payment.of))))
  }

  private takeBack(payment: Paid, amount: Cents): void {
    const { of, way } = payment
    Object.assign(of, afterPayment(of, way, minus(ZERO, amount)))
    payment.left = minus(payment.left, amount)
    if (balanceOf(of) > 0 && of.status === 'paid') of.status = 'open'
    this.note(of, amount)
  }

  private credit(one: Raised, request: { amountCents: Cents; refund: RefundWay }): void {
    const credit = decideCredit(one, request)
    if (typeof credit === 'string') return
    Object.assign(one, credit.figures)
    this.note(one, -request.amountCents)
    if (one.status === 'open' && balanceOf(one) <= 0) one.status = one.amountPaidCents ? 'paid' : 'void'
    if (request.refund === 'none') return
    const { refundCents } = credit
    const over = request.refund !== 'processor'
    if (!over) one.processorRefundedCents = plus(one.processorRefundedCents, refundCents)
    this.refunds.push({ of: one, wanted: refundCents, back: over ? refundCents : ZERO, way: request.refund, over })
    if (request.refund === 'ledger') this.ledger.push({ payer: one.payer, amount: refundCents })
    if (request.refund === 'offline') this.note(one, refundCents)
  }

  /** The gateway gives money back on its own, which is credited as far as anything is left to credit. */
  private refundOutside(one: Raised, amount: Cents): void {
    const back = cents(Math.min(amount, leftAtProcessor(one)))
    if (one.status !== 'paid' || back <= 0) return
    const credit = cents(Math.min(back, minus(one.totalCents, one.creditedCents)))
    one.refundedCents = plus(one.refundedCents, back)
    one.processorRefundedCents = plus(one.processorRefundedCents, back)
    one.creditedCents = plus(one.creditedCents, credit)
    this.refunds.push({ of: one, wanted: back, back, way: 'processor', over: true })
    this.note(one, back - credit)
  }

  /** The gateway gives back all, a part or nothing of a refund that is under way. */
  private answerRefund(nth: number, amount: number): void {
    const open = this.refunds.filter(({ over }) => !over)
    const refund = open[nth % Math.max(open.length, 1)]
    if (!refund) return
    const back = cents(Math.min(amount, refund.wanted))
    const lacking = minus(refund.wanted, back)
    refund.of.refundedCents = minus(refund.of.refundedCents, lacking)
    refund.of.processorRefundedCents = minus(refund.of.processorRefundedCents, lacking)
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

function expectToAddUp({ invoices, payments, refunds, ledger, statement }: School, payer: Payer): void {
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
    const given = (those: Refund[]) => sum(those.map(({ wanted, back: gave, over }) => (over ? gave : wanted)))
    const paid = sum(payments.filter(({ of }) => of === one).map(({ left }) => left))
    const holds =
      one.creditedCents <= one.totalCents &&
      one.refundedCents <= one.amountPaidCents &&
      leftAtProcessor(one) >= 0 &&
      leftOffline(one) >= 0 &&
      one.refundedCents === given(back) &&
      one.processorRefundedCents === given(back.filter(({ way }) => way === 'processor')) &&
      (one.settlement === 'ledger' || one.amountPaidCents === paid) &&
      owedBackOf(one) <= one.creditedCents &&
      (one.status === 'open' || balanceOf(one) <= 0)
    if (!holds) expect({ one, back }).toBe('in order')
  }
}
