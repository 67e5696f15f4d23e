import { expect } from 'vitest'
import { type ChargeFacts, decideCharge, whenCharged } from '../../../src/shared/billing/autopay/autopay.rules.ts'
import {
  type AttemptEnd,
  afterAttempt,
  type ChargeChange,
  type ChargeProgress,
  startAttempt,
  stoppable,
} from '../../../src/shared/billing/autopay/autopay.states.ts'
import { balanceOf, type InvoiceFigures } from '../../../src/shared/billing/invoices/invoice-figures.rules.ts'
import { type Cents, cents, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const DAY_MS = 86_400_000

/** What the payer lets one invoice come to, in cents. */
const MAX_CENTS = cents(12_000)

/** What the card of the payer does when it is charged. `no_card`: there is none. */
const cards = ['paid', 'paid', 'declined', 'declined', 'declined', 'wants_payer', 'no_card', 'refused'] as const

/** An invoice whose payer has autopay. */
export interface Chargeable extends InvoiceFigures {
  status: 'open' | 'paid' | 'void'
  disputed: boolean
  /** Whether a payer who pays for another consents to it. */
  consents: () => boolean
}

/** One run of a job: it has begun, was answered by the gateway, or both. */
interface Run {
  attempt: number
  repeated: boolean
  cents: Cents
  outcome: AttemptEnd['outcome'] | null
}

interface CardCharge extends ChargeProgress {
  of: Chargeable
  notBefore: Date
  counted: ChargeChange['counted']
  jobs: { attempt: number; from: Date }[]
  runs: Run[]
  /** The gateway's invoice. `known`: the service has its payment. */
  gateway: { status: 'open' | 'paid' | 'closed'; cents: Cents; known: boolean }
  /** What the gateway answered to the key of each attempt. */
  answers: Map<number, Run['outcome']>
  /** The attempts for which the gateway was asked. */
  asked: Set<number>
  /** What the gateway took from the card, and the day for which the attempt began. */
  charged: { attempt: number; cents: Cents; on: string } | null
}

const facts: ChargeFacts = {
  status: 'open',
  revision: 0,
  disputed: false,
  consents: true,
  totalCents: cents(1),
  creditedCents: ZERO,
  amountPaidCents: ZERO,
  maxCents: MAX_CENTS,
  chargedTodayCents: MAX_CENTS,
}
/** The day's limit is the invoice's, or twice that when a day may go beyond one. */
const DAY_CENTS = decideCharge(facts) === 'charge' ? MAX_CENTS * 2 : MAX_CENTS

/** The charges of one payer's card: the jobs, the workers that run them, and the gateway. */
export class CardCharges {
  readonly charges: CardCharge[] = []
  private now: Date
  private autopay = true
  private card: (typeof cards)[number] = 'paid'
  /** Stores a payment that the gateway took. */
  private readonly receive: (of: Chargeable, amountCents: Cents) => void

  constructor(now: Date, receive: CardCharges['receive']) {
    this.now = now
    this.receive = receive
  }

  wait(days: number): void {
    this.now = new Date(this.now.getTime() + days * DAY_MS)
  }

  /** The payer saves another card, or takes it away. */
  changeCard(nth: number): void {
    this.card = cards[nth % cards.length]!
  }

  switch(autopay: boolean): void {
    this.autopay = autopay
    const stopped = this.charges.filter(({ state }) => stoppable.some((one) => one === state))
    for (const one of autopay ? [] : stopped) one.state = 'stopped'
  }

  /** Plans the charge of an invoice that was just raised. */
  plan(of: Chargeable, kind: 'flight_charge' | 'invoice_charge', own: boolean): void {
    if (!this.autopay || whenCharged({ kind, own }) === 'never') return
    // The mail leaves at once.
    const from = new Date(this.now.getTime() + (kind === 'invoice_charge' && !own ? DAY_MS : 0))
    const gateway = { status: 'open', cents: of.totalCents, known: false } as const
    const idle = { state: 'planned', attempts: 0, firstDeclinedAt: null, counted: null, charged: null } as const
    const jobs = [{ attempt: 1, from }]
    this.charges.push({ of, ...idle, notBefore: from, jobs, runs: [], gateway, answers: new Map(), asked: new Set() })
  }

  /** Workers take up to four steps for an invoice. */
  work(nth: number, amount: number): void {
    const charge = this.charges[nth % Math.max(this.charges.length, 1)]
    for (let step = 0; charge && step <= nth % 4; step++) this.step(charge, amount + step)
  }

  /**
   * A worker begins an attempt, asks the gateway, writes its answer down, or is killed. Of two runs one asks, as `deliver`
   * sees to, and what is written down is asked no more.
   */
  private step(charge: CardCharge, amount: number): void {
    const run = charge.runs[amount % Math.max(charge.runs.length, 1)]
    if (!run || amount % 5 === 0) this.begin(charge)
    else if (amount % 11 === 0) charge.runs = charge.runs.filter((one) => one !== run)
    else if (amount % 13 === 0) this.note(charge, { ...run, outcome: 'unknown' })
    else if (run.outcome === null) this.ask(charge, charge.runs.find(({ outcome }) => outcome) ?? run)
    else this.note(charge, run)
  }

  /** The service and the gateway hear of each other: events arrive, and jobs close and replace the gateway's invoices. */
  catchUp(nth: number): void {
    const charge = this.charges[nth % Math.max(this.charges.length, 1)]
    if (charge) this.follow(charge)
  }

  /** Pays on the hosted page; false when the gateway has nothing to pay there. */
  payOnPage(of: Chargeable): boolean {
    const charge = this.charges.find((one) => one.of === of)
    if (!charge) return true
    this.follow(charge)
    if (charge.gateway.status !== 'open') return false
    charge.gateway = { status: 'paid', cents: balanceOf(of), known: true }
    return true
  }

  private follow({ of, gateway }: CardCharge): void {
    this.hear(of, gateway)
    const due = of.status === 'open' ? balanceOf(of) : ZERO
    if (due > 0) Object.assign(gateway, { status: 'open', cents: due, known: false })
    else if (gateway.status === 'open') gateway.status = 'closed'
  }

  private hear(of: Chargeable, gateway: CardCharge['gateway']): void {
    if (gateway.status !== 'paid' || gateway.known) return
    gateway.known = true
    this.receive(of, gateway.cents)
  }

  private begin(charge: CardCharge): void {
    const job = charge.jobs.find(({ from }) => from <= this.now)
    if (!job) return
    const { of } = charge
    const today = this.now.toISOString().slice(0, 10)
    const others = this.charges.filter((one) => one !== charge && one.counted?.on === today)
    const chargedTodayCents = cents(others.reduce((total, { counted }) => total + counted!.cents, 0))
    const consents = this.autopay && of.consents()
    const given = { ...of, revision: 0, consents, maxCents: MAX_CENTS, chargedTodayCents }
    const step = startAttempt({ ...charge, today }, job.attempt, given, this.now)
    if (step.next === 'wait') expect(charge).toBe('begun in time')
    change(charge, step.change)
    if (step.next !== 'charge') {
      this.end(charge, job.attempt)
      return
    }
    const daysLater = [0, 1, 3, 7][job.attempt - 1]!
    const asRaised = of.status === 'open' && balanceOf(of) === of.totalCents && of.amountPaidCents === 0
    const inTime = this.now >= charge.notBefore && this.daysSinceDecline(charge) >= daysLater
    const mayBegin = consents && asRaised && inTime && of.totalCents <= MAX_CENTS
    if (!mayBegin) expect(charge).toBe('charged in order')
    charge.runs.push({ attempt: job.attempt, repeated: false, cents: of.totalCents, outcome: null })
  }

  /**
   * The gateway answers the same to the key of an attempt, pays its own invoice, and never one that is of another amount. What
   * an attempt has paid is paid, also when another invoice has taken its place since, as after a dispute.
   */
  private ask(charge: CardCharge, run: Run): void {
    const { gateway, charged, answers, asked } = charge
    run.repeated = asked.has(run.attempt)
    asked.add(run.attempt)
    if (this.card === 'no_card' || this.card === 'refused') run.outcome = this.card
    else if (gateway.status === 'paid' || charged?.attempt === run.attempt) {
      if (charged && charged.attempt !== run.attempt) expect(charge).toBe('charged once')
      run.outcome = 'paid'
    } else if (gateway.status === 'closed' || gateway.cents !== run.cents) run.outcome = 'changed'
    else {
      run.outcome = answers.get(run.attempt) ?? this.card
      answers.set(run.attempt, run.outcome)
      if (run.outcome !== 'paid') return
      if (charged) expect(charge).toBe('charged once')
      gateway.status = 'paid'
      charge.charged = { attempt: run.attempt, cents: run.cents, on: charge.counted?.on ?? 'no day' }
    }
  }

  private note(charge: CardCharge, { attempt, repeated, outcome }: Run): void {
    if (outcome === 'paid') this.hear(charge.of, charge.gateway)
    const step = afterAttempt(charge, { attempt, outcome: outcome!, repeated, status: charge.of.status }, this.now)
    change(charge, step.change)
    charge.runs = []
    this.end(charge, attempt)
    if (step.next === 'try_again' && step.at) charge.jobs.push({ attempt: attempt + 1, from: step.at })
    if (step.next === 'ask_payer' && charge.of.status !== 'open') expect(charge).toBe('asked for what is due')
  }

  private end(charge: CardCharge, attempt: number): void {
    charge.jobs = charge.jobs.filter((job) => job.attempt !== attempt)
  }

  private daysSinceDecline({ firstDeclinedAt }: CardCharge): number {
    return firstDeclinedAt ? (this.now.getTime() - firstDeclinedAt.getTime()) / DAY_MS : 0
  }
}

function change(charge: CardCharge, { state, attempts, counted, firstDeclinedAt }: Partial<ChargeChange> = {}): void {
  if (state) charge.state = state
  if (attempts !== undefined) charge.attempts = attempts
  if (counted !== undefined) charge.counted = counted
  if (firstDeclinedAt) charge.firstDeclinedAt = firstDeclinedAt
}

/**
 * What the card was charged counts for the day on which the attempt began, whatever came after; a day's count is within its
 * limit; a card is tried four times at most.
 */
export function expectChargesToHold({ charges }: CardCharges): void {
  const days = new Map<string, number>()
  for (const charge of charges) {
    const { counted, charged, attempts } = charge
    if (counted) days.set(counted.on, (days.get(counted.on) ?? 0) + counted.cents)
    const isCounted = !charged || (counted?.cents === charged.cents && counted.on === charged.on)
    if (!isCounted || attempts > 4) expect(charge).toBe('in order')
  }
  for (const [day, count] of days) if (count > DAY_CENTS) expect([day, count]).toEqual([day, DAY_CENTS])
}
