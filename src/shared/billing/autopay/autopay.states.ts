import type { ChargeOutcome } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type ChargeDecision, type ChargeFacts, decideCharge, nextAttemptAt } from './autopay.rules.ts'

/**
 * `planned`: not tried yet. `charging`: a job asks the payment gateway. `declined`: to be tried again, or for the last
 * time. `asked`: the payer pays on the hosted page. `stopped`: the invoice or the consent changed.
 */
export const chargeStates = ['planned', 'charging', 'paid', 'declined', 'asked', 'stopped'] as const

export type ChargeState = (typeof chargeStates)[number]

/** The states of a charge that nobody consents to any more, which stops it. */
export const stoppable = ['planned', 'charging', 'declined'] as const satisfies ChargeState[]

/** How far the charge of an invoice is. */
export interface ChargeProgress {
  state: ChargeState
  /** How many attempts have begun. */
  attempts: number
  firstDeclinedAt: Date | null
}

/** What becomes of a charge. `counted`: what counts for which day; null: nothing. Absent fields stay. */
export interface ChargeChange {
  state: ChargeState
  attempts?: number
  counted?: { cents: Cents; on: string } | null
  firstDeclinedAt?: Date
}

/** Why a payer is asked instead of charged. */
export type AskedBecause = Exclude<ChargeDecision, 'charge' | 'stopped'> | 'no_card' | 'bank' | 'refused'

/** What follows for a charge, and what becomes of it. `try_again` has no time after the last attempt. */
export type ChargeStep =
  | { next: 'nothing'; change?: ChargeChange }
  | { next: 'wait'; until: Date; change?: never }
  | { next: 'charge'; change?: ChargeChange }
  | { next: 'ask_payer'; because: AskedBecause; change: ChargeChange }
  | { next: 'try_again'; at: Date | null; change: ChargeChange }

/** A charge that a job comes to. */
export interface ChargeToStart extends ChargeProgress {
  /** Before it nothing is charged; null: the payer was not told yet. */
  notBefore: Date | null
  today: string
}

/**
 * Decides how an attempt starts: it begins, or repeats what a killed worker began; it asks the payer, waits for the time from
 * which the invoice may be charged, or ends. The payer's consent and limits are those of now, for a repeated attempt too: it is not
 * made again above a limit that was lowered since. An attempt that may have been made keeps its count until the gateway says
 * what came of it. It was made when an event said so first.
 */
export function startAttempt(charge: ChargeToStart, attempt: number, facts: ChargeFacts, now: Date): ChargeStep {
  const repeats = charge.state === 'charging' && charge.attempts === attempt
  const begins = (charge.state === 'planned' || charge.state === 'declined') && charge.attempts === attempt - 1
  if ((!repeats && !begins) || charge.notBefore === null) return { next: 'nothing' }
  const decision = decideCharge(facts)
  if (decision === 'stopped') {
    const state = repeats && facts.status === 'paid' ? 'paid' : 'stopped'
    return { next: 'nothing', change: { state, ...(begins && { counted: null }) } }
  }
  if (repeats && decision !== 'above_limit') return { next: 'charge' }
  if (decision !== 'charge') {
    return { next: 'ask_payer', because: decision, change: { state: 'asked', ...(begins && { counted: null }) } }
  }
  if (charge.notBefore > now)
    return { next: 'wait', until: laterOf(charge.notBefore, new Date(now.getTime() + LOOK_AGAIN_MS)) }
  const counted = { cents: facts.totalCents, on: charge.today }
  return { next: 'charge', change: { state: 'charging', attempts: attempt, counted } }
}

/** The least time until a job that came early comes again: its clock may be behind. */
const LOOK_AGAIN_MS = 1_000

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other
}

/** What came of an attempt. `unknown`: the gateway never answered, so the card may have been charged. */
export interface AttemptEnd {
  attempt: number
  outcome: ChargeOutcome['outcome'] | 'no_card' | 'refused' | 'unknown'
  /** Whether an earlier call of this attempt may have charged the card. */
  repeated: boolean
  /** The invoice's. */
  status: ChargeFacts['status']
}

/**
 * Decides what follows an attempt. A declined card is tried again 1, 3 and 7 days after the first decline; a bank that
 * wants the payer is no decline: the payer is asked, as long as the invoice is open. What was stopped meanwhile stays so.
 * What may have been charged keeps its count.
 */
export function afterAttempt(charge: ChargeProgress, end: AttemptEnd, now: Date): ChargeStep {
  const { attempt, outcome, status } = end
  if (charge.attempts !== attempt) return { next: 'nothing' }
  if (outcome === 'paid') return { next: 'nothing', change: { state: 'paid' } }
  const uncounted = mayHaveCharged(end) ? {} : { counted: null }
  if (outcome === 'changed' || charge.state === 'stopped') {
    return { next: 'nothing', change: { state: 'stopped', ...uncounted } }
  }
  if (charge.state !== 'charging') return { next: 'nothing' }
  if (outcome === 'declined') {
    const firstDeclinedAt = charge.firstDeclinedAt ?? now
    const at = nextAttemptAt(firstDeclinedAt, attempt)
    return { next: 'try_again', at, change: { state: 'declined', counted: null, firstDeclinedAt } }
  }
  if (status !== 'open') {
    const state = status === 'paid' && mayHaveCharged(end) ? 'paid' : 'stopped'
    return { next: 'nothing', change: { state, ...uncounted } }
  }
  const because = outcome === 'wants_payer' ? 'bank' : outcome === 'no_card' ? 'no_card' : 'refused'
  return { next: 'ask_payer', because, change: { state: 'asked', ...uncounted } }
}

/** Without a card, or refused, the last call has charged nothing; an earlier one may have. */
function mayHaveCharged({ outcome, repeated }: AttemptEnd): boolean {
  return outcome === 'unknown' || (repeated && (outcome === 'no_card' || outcome === 'refused'))
}
