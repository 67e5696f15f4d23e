import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creditsOfCorrection,
  type StandingLine,
} from '../../../src/shared/billing/credit-notes/corrected-bill.rules.ts'
import {
  type Creditable,
  decideCredit,
  decideRefundOf,
  type GivenBackBy,
  type RefundWay,
  refundAgainProblem,
  type refundStatuses,
  refundWays,
  taxOfCredit,
} from '../../../src/shared/billing/credit-notes/credit.rules.ts'
import { feeAt, feeTiersOf } from '../../../src/shared/billing/fees/fee.rules.ts'
import { chargeFlight, isBillable } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import type {
  FlightCharge,
  InvoiceLine,
  PackageUse,
  PayerId,
  TaxTotal,
} from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { samePayer } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { creditableOf, reducePackage } from '../../../src/shared/billing/flight-bill/packages.rules.ts'
import { taxLines } from '../../../src/shared/billing/flight-bill/taxes.rules.ts'
import { balanceOf, owedBackOf } from '../../../src/shared/billing/invoices/invoice-figures.rules.ts'
import { overpaidBy } from '../../../src/shared/billing/payments/gateway-money.rules.ts'
import {
  afterPayment,
  automaticPart,
  type CameBy,
  isReversible,
  ledgerProblem,
  leftAtGateway,
  leftByHand,
  leftOffline,
  paymentProblem,
  type StoredMethod,
} from '../../../src/shared/billing/payments/payment.rules.ts'
import type { TaxRate } from '../../../src/shared/identity/organizations/taxes.rules.ts'
import { multiplyShare } from '../../../src/shared/platform/kernel/money.ts'
import {
  basisPoints,
  type Cents,
  cents,
  hundredths,
  minus,
  plus,
  sum,
  ZERO,
} from '../../../src/shared/platform/kernel/units.ts'
import { flight, resource } from './a-flight.ts'
import { BillToTerms, type Payer, stands } from './bill-to-terms.ts'
import { CardCharges, expectChargesToHold } from './card-charges.ts'

const drawn = {
  nth: fc.nat(5),
  amount: fc.integer({ min: 1, max: 300 }),
  refund: fc.constantFrom(...refundWays),
}
/** What happens to the money of a school, in an order that is drawn. */
const move = fc.record({
  kind: fc.constantFrom(
    ...(['raise', 'pay', 'payOffline', 'payPart', 'bounce', 'credit', 'refunded', 'void', 'deposit'] as const),
    ...(['refundLater', 'refundLater', 'loseDispute', 'refundOutside', 'sell', 'fly', 'fly'] as const),
    ...(['work', 'work', 'work', 'work', 'wait', 'catchUp', 'changeCard', 'switch'] as const),
    ...(['payLedger', 'payLedger', 'payOpen', 'deposit', 'reverseLedger'] as const),
    ...(['fly', 'correct', 'correct', 'correct', 'flyTogether'] as const),
    ...(['chargeFee', 'chargeFee'] as const),
    ...(['nameBillTo', 'acceptBillTo', 'acceptBillTo', 'endBillTo'] as const),
  ),
  payer: fc.constantFrom('card', 'account', 'guest', 'child', 'child'),
  ...drawn,
})
type Move = typeof move extends fc.Arbitrary<infer Drawn> ? Drawn : never
/** The same of one payer whose card is charged by itself, with most moves about the charges. */
const cardMove: typeof move = fc.record({
  kind: fc.constantFrom(
    ...(['fly', 'fly', 'raise', 'pay', 'payOffline', 'bounce', 'credit', 'refunded', 'void', 'loseDispute'] as const),
    ...(['work', 'work', 'work', 'work', 'work', 'work', 'work', 'work', 'work', 'work', 'work', 'work'] as const),
    ...(['wait', 'wait', 'wait', 'wait', 'catchUp', 'changeCard', 'changeCard', 'switch'] as const),
  ),
  payer: fc.constant<Payer>('card'),
  ...drawn,
})
interface Raised extends Creditable {
  payer: Payer
  /** Whose share it charges; another may pay for the child. */
  share: Payer
  /** Whether it may be charged to the card by itself. */
  autopay: boolean
  /** Whether the ledger may pay it by itself. */
  fromLedger: boolean
  /** Whether the payer consents to a charge to the card. */
  consents: () => boolean
  status: 'open' | 'paid' | 'void'
  disputed: boolean
  taxCents: Cents
  /** Within its credits. */
  creditedTaxCents: Cents
  /** The packages that it uses, until it stops standing. */
  uses: { of: Purchase; quantity: number }[]
  /** The package that it charges. */
  sells: Purchase | null
  /** The flight that it bills. */
  flown?: Flown
}

/** A flight that invoices bill. */
interface Flown {
  flight: FlightCharge
  parts: FlownPart[]
  corrections: number
}

/** An invoice of a flight, with its lines and what corrections credited of them. */
interface FlownPart {
  invoice: Raised
  who: PayerId
  lines: StandingLine[]
  taxes: TaxTotal[]
}

/** A package that was bought: cents of credit, or tenths of an hour. */
interface Purchase {
  unit: 'cents' | 'deci_hours'
  granted: number
  used: number
  remaining: number
  shortfallCents: Cents
  invoice: Raised
}

const taxRates: TaxRate[] = [
  { name: 'Sales tax', basisPoints: basisPoints(725), appliesTo: [], locationIds: [] },
  { name: 'Fuel tax', basisPoints: basisPoints(133), appliesTo: ['aircraft'], locationIds: [] },
]
const payerIds = { card: 1, account: 2, child: 3, guest: null } as const
const payers = ['card', 'account', 'guest', 'child'] as const

interface Paid {
  of: Raised
  way: 'processor' | 'offline'
  method: StoredMethod
  amountCents: Cents
  left: Cents
}

interface Note {
  of: Raised
  amountCents: Cents
  refundStatus: (typeof refundStatuses)[number]
  refundedCents: Cents
}

interface Refund {
  of: Raised
  /** Absent when no credit note gives it back, or the gateway does on its own. */
  note?: Note
  wanted: Cents
  back: Cents
  way: RefundWay
  over: boolean
  /** Whether it gives back what was paid above what was due; what does not go back is the payer's. */
  overpaid?: true
}

const NOW = { now: new Date('2026-11-21T12:00:00Z'), invoicedAt: new Date('2026-11-20T12:00:00Z') }

/** A school that does what it is told by the rules, and writes down what its payers see. */
class School {
  readonly invoices: Raised[] = []
  readonly payments: Paid[] = []
  readonly notes: Note[] = []
  readonly refunds: Refund[] = []
  readonly ledger: { payer: Payer; amount: Cents }[] = []
  readonly statement: { payer: Payer; of: Raised | null; amount: number }[] = []
  readonly purchases: Purchase[] = []
  readonly billTo = new BillToTerms()
  /** Of the payer by card, who has autopay. */
  readonly cards = new CardCharges(NOW.now, (of, amount) => this.receive(of as Raised, amount))

  take({ kind, payer, nth, amount, refund }: Move): void {
    // Of two moves one concerns a package, when there is one.
    const sold = amount % 2 === 0 ? this.purchases[nth % Math.max(this.purchases.length, 1)]?.invoice : undefined
    const one = sold ?? this.invoices[nth % Math.max(this.invoices.length, 1)]
    const payment = this.payments[nth % Math.max(this.payments.length, 1)]
    if (kind === 'raise') this.plan(this.bill(payer, [lineOf('other', cents(amount))]), 'invoice_charge')
    else if (kind === 'chargeFee') this.chargeFee(payer, amount)
    else if (kind === 'sell') this.sell(payer, amount)
    else if (kind === 'fly') this.fly([payer], amount)
    else if (kind === 'flyTogether') this.fly(payer === 'child' ? ['child', 'card'] : [payer, 'child'], amount)
    else if (kind === 'nameBillTo') this.billTo.name(payer)
    else if (kind === 'acceptBillTo') this.billTo.accept(amount)
    else if (kind === 'endBillTo') this.billTo.end()
    else if (kind === 'deposit') this.deposit(payer === 'guest' ? 'account' : payer, cents(amount * 3))
    else if (kind === 'payOpen') this.payOpen(payer)
    else if (kind === 'reverseLedger') this.bounce(this.payments.findLast(({ method }) => method === 'ledger'))
    else if (kind === 'refunded') this.answerRefund(nth, amount)
    else if (kind === 'refundLater') this.refundLater(this.notes[nth % Math.max(this.notes.length, 1)], refund)
    else if (kind === 'bounce') this.bounce(payment)
    else if (kind === 'loseDispute') this.loseDispute(payment)
    else if (kind === 'work') this.cards.work(nth, amount)
    else if (kind === 'wait') this.cards.wait((amount % 3) + 1)
    else if (kind === 'catchUp') this.cards.catchUp(nth)
    else if (kind === 'changeCard') this.cards.changeCard(amount)
    else if (kind === 'switch') this.cards.switch(amount % 4 > 0)
    else if (!one || one.status === 'void') return
    else if (kind === 'credit') this.credit(one, { amountCents: partOf(one, amount), refund })
    else if (kind === 'correct') this.correct(one, amount, refund)
    else if (kind === 'refundOutside') this.refundOutside(one, partOf(one, amount))
    else if (kind === 'void' && one.totalCents === 0) this.end(one)
    else if (one.status === 'paid') return
    else if (kind === 'void' && one.amountPaidCents === 0 && !one.sells?.used) this.end(one)
    else if (kind === 'pay') this.payOnPage(one)
    else if (kind === 'payOffline') this.pay(one, 'offline', balanceOf(one))
    else if (kind === 'payPart') this.pay(one, 'offline', cents(amount))
    else if (kind === 'payLedger') this.payFromLedger(one, amount % 3 === 0 ? balanceOf(one) : cents(amount))
  }

  /** Raises an invoice of lines with their taxes. */
  private bill(share: Payer, lines: readonly InvoiceLine[], uses: readonly PackageUse[] = []): Raised {
    const { totalCents, taxCents } = taxLines(lines, { rates: taxRates, exempt: false, locationId: null })
    const raised = this.raise(share, totalCents, taxCents)
    for (const { purchaseId, quantity } of uses) {
      const of = this.purchases[purchaseId]!
      of.used += quantity
      of.remaining -= quantity
      raised.uses.push({ of, quantity })
    }
    return raised
  }

  /** Charges the fee of a late cancellation: half of what the booking was expected to cost. */
  private chargeFee(payer: Payer, amount: number): void {
    const settings = {
      cancellationFees: [{ underHours: 24, kind: 'share', bps: 5_000 }],
      feeMaxCents: cents(30_000),
    } as const
    const tiers = feeTiersOf(settings, { type: 'dual', estimatedCents: cents(amount) })
    const fee = feeAt({ booked: tiers, today: tiers }, { noticeMs: 1, category: 'student' })
    if (fee > 0) this.plan(this.bill(payer, [lineOf('cancellation_fee', fee)]), 'invoice_charge')
  }

  /** Sells a package, of credit or of hours; guests buy none. */
  private sell(payer: Payer, amount: number): void {
    if (payer === 'guest') return
    const price = cents(amount * 10)
    const unit = amount % 2 === 0 ? 'cents' : 'deci_hours'
    const granted = unit === 'cents' ? amount * 11 : (amount % 30) + 1
    const invoice = this.bill(payer, [lineOf('package', price)])
    if (invoice.totalCents !== price) expect(invoice.totalCents).toBe(price)
    const purchase: Purchase = { unit, granted, used: 0, remaining: granted, shortfallCents: ZERO, invoice }
    invoice.sells = purchase
    this.purchases.push(purchase)
    this.plan(invoice, 'invoice_charge', true)
    if (invoice.status === 'open' && amount % 4 > 0) this.payOnPage(invoice)
  }

  /** Bills a flight, which uses what its payers have of packages that are paid. Each share of it is an invoice. */
  private fly(shares: Payer[], amount: number): void {
    const aboard = shares.map((name) => ({ orgUserId: payerIds[name], guestId: name === 'guest' ? 1 : null, name }))
    const packages = this.purchases.flatMap(({ unit, remaining, invoice }, purchaseId) => {
      const covers = shares.includes(invoice.share) && stands(invoice) && invoice.status === 'paid' && remaining > 0
      const orgUserId = payerIds[invoice.share]
      const of = { name: 'Package', resourceIds: [], lineKinds: amount % 3 === 0 ? ['aircraft'] : [] }
      return covers ? [{ ...of, purchaseId, orgUserId, guestId: null, unit, remaining }] : []
    })
    const one = flight({ payers: aboard, packages, resource: { ...resource, wetRate: cents(amount) } })
    const chargeRules = { aircraft: 'split_evenly', instruction: 'split_evenly' } as const
    const flown = { ...one, settings: { ...one.settings, taxRates, ...(shares.length > 1 && { chargeRules }) } }
    const bill = chargeFlight(flown)
    const billable = bill.shares.filter(isBillable)
    if (billable.length === 0) return
    const parts = billable.map((share): FlownPart => {
      const lines = bill.lines.filter(({ payer }) => payer && samePayer(payer, share.payer))
      const who = aboard.find((person) => samePayer(person, share.payer))!
      const raised = this.bill(who.name, lines, share.uses)
      if (raised.totalCents !== share.amountCents) expect(raised.totalCents).toBe(share.amountCents)
      if (raised.totalCents === 0) Object.assign(raised, { status: 'paid', settlement: 'offline' })
      this.plan(raised, 'flight_charge')
      const standing = lines.map((line, id) => ({ ...line, id, creditedCents: ZERO, creditedTaxCents: ZERO }))
      return { invoice: raised, who, lines: standing, taxes: share.taxes }
    })
    // Shares that are too small to bill leave the price of the hours unknown.
    if (billable.length < shares.length) return
    const whole: Flown = { flight: flown, parts, corrections: 0 }
    for (const { invoice } of parts) invoice.flown = whole
  }

  /** An invoice that stops standing gives back what it used. */
  private release(one: Raised): void {
    for (const { of, quantity } of stands(one) ? [] : one.uses.splice(0)) {
      of.used -= quantity
      this.shrink(of)
    }
  }

  private end(one: Raised): void {
    one.status = 'void'
    this.release(one)
  }

  /** A package shrinks by what is credited of its invoice; what was used beyond is billed. */
  private shrink(purchase: Purchase): void {
    const { invoice } = purchase
    const reduced = reducePackage(purchase, invoice)
    purchase.remaining = reduced.remaining
    const missing = minus(reduced.shortfallCents, purchase.shortfallCents)
    if (missing < 50) return
    this.bill(invoice.share, [lineOf('package_shortfall', missing)])
    purchase.shortfallCents = reduced.shortfallCents
  }

  private noteCredit(one: Raised, amountCents: Cents, creditedCents: Cents): void {
    const whole = { totalCents: one.totalCents, taxCents: one.taxCents, creditedCents }
    const tax = taxOfCredit(whole, one.creditedTaxCents, { amountCents, items: [] })
    one.creditedTaxCents = plus(one.creditedTaxCents, tax)
    if (one.sells) this.shrink(one.sells)
    this.release(one)
  }

  private raise(share: Payer, totalCents: Cents, taxCents: Cents): Raised {
    const payer = this.billTo.payerOf(share)
    const { onLedger, ...taken } = this.billTo.charged({ payer, share, totalCents }, this.invoices)
    const raised: Raised = {
      ...taken,
      share,
      consents: () => this.billTo.allows('autopay', { payer, share }, this.invoices),
      taxCents,
      creditedTaxCents: ZERO,
      uses: [],
      sells: null,
      totalCents,
      amountPaidCents: onLedger ? totalCents : ZERO,
      creditedCents: ZERO,
      refundedCents: ZERO,
      gatewayPaidCents: ZERO,
      gatewayRefundedCents: ZERO,
      ledgerPaidCents: ZERO,
      ledgerRefundedCents: ZERO,
      settlement: onLedger ? 'ledger' : 'processor',
      isGuest: payer === 'guest',
      payer,
      disputed: false,
      status: onLedger ? 'paid' : 'open',
    }
    this.invoices.push(raised)
    this.note(raised, totalCents)
    if (onLedger) this.ledger.push({ payer, amount: minus(ZERO, totalCents) })
    return raised
  }

  private plan(one: Raised, kind: 'flight_charge' | 'invoice_charge', own = false): void {
    if (one.autopay && one.status === 'open') this.cards.plan(one, kind, own && one.payer === one.share)
  }

  private deposit(payer: Payer, amount: Cents): void {
    this.ledger.push({ payer, amount })
    this.statement.push({ payer, of: null, amount: -amount })
  }

  private pay(one: Raised, way: Paid['way'], amountCents: Cents): void {
    if (way === 'offline' && paymentProblem(one, { amountCents, receivedAt: NOW.now }, NOW)) return
    this.add(one, { way, method: way === 'processor' ? 'card' : 'cash' }, amountCents)
  }

  private add(one: Raised, by: CameBy, amountCents: Cents): void {
    Object.assign(one, afterPayment(one, by, amountCents))
    if (balanceOf(one) <= 0) Object.assign(one, { status: 'paid', settlement: by.way })
    this.payments.push({ of: one, ...by, amountCents, left: amountCents })
    this.note(one, -amountCents)
  }

  private balanceOnLedger(payer: Payer): Cents {
    return sum(this.ledger.filter((entry) => entry.payer === payer).map(({ amount }) => amount))
  }

  /** Pays from the ledger of the payer, which a payment never overdraws. */
  private payFromLedger(one: Raised, amountCents: Cents): void {
    const { payer } = one
    const before = payer === 'guest' ? ZERO : this.balanceOnLedger(payer)
    if (amountCents <= 0 || ledgerProblem(one, amountCents, before)) return
    this.ledger.push({ payer, amount: minus(ZERO, amountCents) })
    this.statement.push({ payer, of: one, amount: amountCents })
    this.add(one, { way: 'offline', method: 'ledger' }, amountCents)
    if (this.balanceOnLedger(payer) < 0) expect(amountCents).toBeLessThanOrEqual(before)
  }

  /** The ledger pays what is open by itself, the oldest first. */
  private payOpen(payer: Payer): void {
    if (payer === 'guest') return
    for (const one of this.invoices.filter(
      ({ payer: of, status, disputed, fromLedger }) => of === payer && status === 'open' && !disputed && fromLedger,
    )) {
      if (!this.billTo.allows('ledger', one, this.invoices)) continue
      this.payFromLedger(one, automaticPart(balanceOf(one), this.balanceOnLedger(payer)))
    }
  }

  private payOnPage(one: Raised): void {
    if (this.cards.payOnPage(one) && one.status === 'open') this.pay(one, 'processor', balanceOf(one))
  }

  /** A card paid at the gateway, whatever the invoice is here: what it brings above what is due goes back. */
  private receive(one: Raised, amountCents: Cents): void {
    const before = owedBackOf(one)
    this.pay(one, 'processor', amountCents)
    one.status = 'paid'
    const over = overpaidBy(before, owedBackOf(one))
    if (over === 0) return
    one.refundedCents = plus(one.refundedCents, over)
    one.gatewayRefundedCents = plus(one.gatewayRefundedCents, over)
    this.refunds.push({ of: one, wanted: over, back: ZERO, way: 'processor', over: false, overpaid: true })
  }

  /** A check bounces, unless its money was given back. */
  private bounce(payment: Paid | undefined): void {
    if (payment?.way !== 'offline' || payment.left === 0 || payment.of.status === 'void') return
    if (!isReversible(payment.of, payment)) return
    this.takeBack(payment, payment.left)
    if (payment.method !== 'ledger') return
    this.ledger.push({ payer: payment.of.payer, amount: payment.amountCents })
    this.statement.push({ payer: payment.of.payer, of: payment.of, amount: -payment.amountCents })
  }

  /** The bank takes back what a card paid and the school has not given back. */
  private loseDispute(payment: Paid | undefined): void {
    if (payment?.way !== 'processor') return
    payment.of.disputed = true
    this.takeBack(payment, cents(Math.min(payment.left, leftAtGateway(payment.of))))
  }

  private takeBack(payment: Paid, amount: Cents): void {
    const { of } = payment
    Object.assign(of, afterPayment(of, payment, minus(ZERO, amount)))
    payment.left = minus(payment.left, amount)
    if (balanceOf(of) > 0 && of.status === 'paid') of.status = 'open'
    this.note(of, amount)
  }

  private credit(one: Raised, request: { amountCents: Cents; refund: RefundWay }): void {
    if (one.sells && request.amountCents > creditableOf(one.sells, one.totalCents)) return
    const credit = decideCredit(one, request)
    if (typeof credit === 'string') return
    const before = one.creditedCents
    Object.assign(one, credit.figures)
    this.note(one, -request.amountCents)
    if (one.status === 'open' && balanceOf(one) <= 0) one.status = one.amountPaidCents ? 'paid' : 'void'
    this.noteCredit(one, request.amountCents, before)
    const { amountCents, refund } = request
    const note: Note = { of: one, amountCents, refundStatus: 'none', refundedCents: ZERO }
    this.notes.push(note)
    if (refund !== 'none') this.startRefund(note, refund, credit.refundCents)
  }

  /** A flight was read too long: its invoices are credited with the difference, and what was paid too much goes back. */
  private correct(one: Raised, amount: number, refund: RefundWay): void {
    const { flown } = one
    if (!flown || flown.corrections === 2 || flown.parts.some(({ invoice }) => this.holds(invoice))) return
    const { readings } = flown.flight
    const span = (readings.hobbsIn ?? 0) - (readings.hobbsOut ?? 0)
    const hobbsIn = hundredths((readings.hobbsOut ?? 0) + Math.max(0, span - (amount % 70)))
    const after = { readings: { ...readings, hobbsIn }, briefing: null }
    const standing = flown.parts.map(({ invoice, who, lines, taxes }, id) => {
      const leftCents = minus(invoice.totalCents, invoice.creditedCents)
      return { id, payer: who, leftCents, lines, taxes }
    })
    const made = creditsOfCorrection(flown.flight, after, standing)
    if (made.problem !== null) throw new Error(made.problem)
    const credits = made.credits.map((credit) => ({ ...credit, part: flown.parts[credit.invoiceId]! }))
    if (credits.some(({ part, amountCents }) => leavesTooLittle(part.invoice, amountCents))) return
    for (const { part, ...credit } of credits) this.creditCorrection(part, credit, refund)
    flown.flight = { ...flown.flight, ...after }
    flown.corrections += 1
    const { shares } = chargeFlight({ ...flown.flight, packages: [] })
    for (const { invoice, who, lines } of flown.parts) {
      if (!stands(invoice)) continue
      const right = shares.find(({ payer }) => samePayer(payer, who))?.amountCents ?? ZERO
      const left = lines.map((line) => minus(plus(line.amountCents, line.taxCents), line.creditedCents))
      if (sum(left) !== right) expect({ lines, right }).toBe('billed by its hours')
    }
  }

  /** Whether an invoice holds the correction of its flight. */
  private holds(one: Raised): boolean {
    const underWay = this.refunds.some(({ of, over }) => of === one && !over)
    return one.uses.length > 0 || !stands(one) || one.disputed || underWay
  }

  /** Credits an invoice of a corrected flight by lines. */
  private creditCorrection(
    { invoice, lines }: FlownPart,
    { items, amountCents }: { items: { itemId: number; amountCents: Cents }[]; amountCents: Cents },
    refund: RefundWay,
  ): void {
    const asked = invoice.settlement === 'ledger' ? 'ledger' : refund
    const way = typeof decideCredit(invoice, { amountCents, refund: asked }) === 'string' ? 'none' : asked
    this.credit(invoice, { amountCents, refund: way })
    for (const { itemId, amountCents: ofLine } of items) {
      const line = lines[itemId]!
      const tax = multiplyShare(ofLine, line.taxCents, plus(line.amountCents, line.taxCents))
      line.creditedCents = plus(line.creditedCents, ofLine)
      line.creditedTaxCents = plus(line.creditedTaxCents, tax)
    }
  }

  /** What of a credit note has not gone back goes back later, by a way that is drawn. */
  private refundLater(note: Note | undefined, refund: RefundWay): void {
    if (!note || refund === 'none' || note.of.status === 'void' || refundAgainProblem(note)) return
    const refundCents = decideRefundOf(note.of, { amountCents: note.amountCents, refund })
    if (typeof refundCents === 'string') return
    note.of.refundedCents = plus(note.of.refundedCents, refundCents)
    this.startRefund(note, refund, refundCents)
  }

  private startRefund(note: Note, way: GivenBackBy, refundCents: Cents): void {
    const { of } = note
    const over = way !== 'processor'
    if (way === 'ledger') of.ledgerRefundedCents = plus(of.ledgerRefundedCents, refundCents)
    if (!over) of.gatewayRefundedCents = plus(of.gatewayRefundedCents, refundCents)
    const back = over ? refundCents : ZERO
    Object.assign(note, { refundStatus: over ? 'succeeded' : 'pending', refundedCents: back })
    this.refunds.push({ of, note, wanted: refundCents, back, way, over })
    if (way === 'ledger') this.ledger.push({ payer: of.payer, amount: refundCents })
    if (way === 'offline') this.note(of, refundCents)
  }

  /** The gateway gives money back on its own, which is credited as far as anything is left to credit. */
  private refundOutside(one: Raised, amount: Cents): void {
    const back = cents(Math.min(amount, leftAtGateway(one)))
    if (one.status !== 'paid' || back <= 0) return
    const credit = cents(Math.min(back, minus(one.totalCents, one.creditedCents)))
    one.refundedCents = plus(one.refundedCents, back)
    one.gatewayRefundedCents = plus(one.gatewayRefundedCents, back)
    const before = one.creditedCents
    one.creditedCents = plus(before, credit)
    if (credit > 0) this.noteCredit(one, credit, before)
    this.refunds.push({ of: one, wanted: back, back, way: 'processor', over: true })
    this.note(one, back - credit)
  }

  /** The gateway gives back all, a part or nothing of a refund that is under way. */
  private answerRefund(nth: number, amount: number): void {
    const open = this.refunds.filter(({ over }) => !over)
    const refund = open[nth % Math.max(open.length, 1)]
    if (!refund) return
    const back = cents(amount % 4 === 0 ? 0 : Math.min(amount, refund.wanted))
    const lacking = minus(refund.wanted, back)
    refund.of.refundedCents = minus(refund.of.refundedCents, lacking)
    refund.of.gatewayRefundedCents = minus(refund.of.gatewayRefundedCents, lacking)
    Object.assign(refund, { back, over: true })
    if (refund.note)
      Object.assign(refund.note, { refundStatus: lacking > 0 ? 'failed' : 'succeeded', refundedCents: back })
    this.note(refund.of, back)
    // What did not go back pays what is due meanwhile: the gateway is read again.
    if (refund.of.status === 'open' && balanceOf(refund.of) <= 0) refund.of.status = 'paid'
  }

  private note(of: Raised, amount: number): void {
    this.statement.push({ payer: of.payer, of, amount })
  }
}

/** Of three amounts one is all that is left of an invoice to credit. */
function partOf({ totalCents, creditedCents }: Raised, amount: number): Cents {
  const left = minus(totalCents, creditedCents)
  return amount % 3 === 0 && left > 0 ? left : cents(amount)
}

/** Whether a credit leaves less of an open invoice than can be collected. */
function leavesTooLittle(one: Raised, creditCents: Cents): boolean {
  const due = minus(balanceOf(one), creditCents)
  return one.status !== 'paid' && due > 0 && due < 50
}

function lineOf(kind: string, amountCents: Cents): InvoiceLine {
  return {
    kind,
    description: kind,
    quantityHundredths: hundredths(100),
    unit: 'piece',
    unitPrice: amountCents,
    amountCents,
  }
}

function expectToHold(moves: readonly Move[]): void {
  const school = new School()
  for (const one of moves) {
    school.take(one)
    for (const payer of payers) expectToAddUp(school, payer)
    expectPackagesToHold(school)
    expectChargesToHold(school.cards)
  }
}

describe('the money of a school', () => {
  test('adds up for each payer after any sequence of moves: figures, ledger and statement', () => {
    fc.assert(fc.property(fc.array(move, { maxLength: 30, size: 'max' }), expectToHold), { numRuns: 10_000 })
  })

  test('adds up for a payer whose card is charged by itself, once, and within the limits', () => {
    fc.assert(fc.property(fc.array(cardMove, { minLength: 25, maxLength: 40 }), expectToHold), { numRuns: 1_200 })
  })
})

function expectToAddUp({ invoices, payments, notes, refunds, ledger, statement }: School, payer: Payer): void {
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
    const fromLedger = sum(
      payments.filter(({ of, method }) => of === one && method === 'ledger').map(({ left }) => left),
    )
    const kept = sum(back.filter(({ overpaid, over }) => overpaid && over).map((one) => minus(one.wanted, one.back)))
    const holds =
      one.creditedCents <= one.totalCents &&
      one.refundedCents <= one.amountPaidCents &&
      leftAtGateway(one) >= 0 &&
      leftOffline(one) >= 0 &&
      leftByHand(one) >= 0 &&
      one.ledgerPaidCents === fromLedger &&
      one.ledgerRefundedCents === given(back.filter(({ way }) => way === 'ledger')) &&
      one.refundedCents === given(back) &&
      one.gatewayRefundedCents === given(back.filter(({ way }) => way === 'processor')) &&
      (one.settlement === 'ledger' || one.amountPaidCents === paid) &&
      owedBackOf(one) <= plus(one.creditedCents, kept) &&
      (one.status === 'open' || balanceOf(one) <= 0)
    if (!holds) expect({ one, back }).toBe('in order')
  }
  for (const note of notes.filter(({ of }) => of.payer === payer)) {
    const given = refunds.filter((one) => one.note === note && (one.back > 0 || !one.over))
    const all = sum(given.map(({ wanted, back, over }) => (over ? back : wanted)))
    if (given.length > 1 || all > note.amountCents) expect({ note, given }).toBe('given back once')
  }
}

/**
 * A package was never used beyond what it grants, and is used by what stands; what was used is paid for, but for what is too
 * little to bill; taxes credited are the invoice's.
 */
function expectPackagesToHold({ purchases, invoices }: School): void {
  for (const purchase of purchases) {
    const { used, remaining, granted, invoice } = purchase
    const uses = invoices.flatMap((one) => one.uses.filter(({ of }) => of === purchase).map(({ quantity }) => quantity))
    const { withdrawn, shortfallCents } = reducePackage(purchase, invoice)
    const worth = (invoice.totalCents * used) / granted
    const paidFor = minus(invoice.totalCents, invoice.creditedCents) + purchase.shortfallCents
    const holds =
      used === uses.reduce((sum, quantity) => sum + quantity, 0) &&
      remaining === Math.max(0, granted - withdrawn - used) &&
      used <= granted &&
      minus(shortfallCents, purchase.shortfallCents) < 50 &&
      worth - paidFor < 50
    if (!holds) expect(purchase).toBe('in order')
  }
  for (const one of invoices) {
    const { taxCents, creditedTaxCents, creditedCents, totalCents } = one
    const all = creditedCents === totalCents ? creditedTaxCents === taxCents : creditedTaxCents <= taxCents
    if (!all && totalCents > 0) expect(one).toBe('taxed in order')
  }
}
