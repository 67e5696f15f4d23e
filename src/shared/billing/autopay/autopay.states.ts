import type { ChargeOutcome } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type ChargeDecision, type ChargeFacts, decideCharge, nextAttemptAt } from './autopay.rules.ts'

/**
 * `planned`: not tried yet. `charging`: a job calls the payment gateway. `declined`: the card was declined; it is tried again, unless
 * this was the last attempt. `asked`: the payer was asked to pay on the hosted page. `stopped`: the invoice or the consent changed.
 */
export const chargeStates = ['planned', 'charging', 'paid', 'declined', 'asked', 'stopped'] as const

export type ChargeState = (typeof chargeStates)[number]

/** The states from which a charge is stopped when the payer no longer consents. */
export const stoppable = ['planned', 'charging', 'declined'] as const satisfies ChargeState[]

/** The progress of the charge of an invoice. */
export interface ChargeProgress {
  state: ChargeState
  /** How many attempts have begun. */
  attempts: number
  firstDeclinedAt: Date | null
}

/** The new values of a charge; absent fields do not change. `counted`: the amount that counts towards the limit of the day `on`. */
export interface ChargeChange {
  state: ChargeState
  attempts?: number
  counted?: { cents: Cents; on: string } | null
  firstDeclinedAt?: Date
}

/** Why a payer is asked instead of charged. */
export type AskedBecause = Exclude<ChargeDecision, 'charge' | 'stopped'> | 'no_card' | 'bank' | 'refused'

/** The next step of a charge, and the change of its row. `try_again`: `at` is null after the last attempt. */
export type ChargeStep =
  | { next: 'nothing'; change?: ChargeChange }
  | { next: 'wait'; until: Date; change?: never }
  | { next: 'charge'; change?: ChargeChange }
  | { next: 'ask_payer'; because: AskedBecause; change: ChargeChange }
  | { next: 'try_again'; at: Date | null; change: ChargeChange }

/** A charge when a job starts an attempt. */
export interface ChargeToStart extends ChargeProgress {
  /** The earliest instant of the charge; null: the payer was not notified yet. */
  notBefore: Date | null
  today: string
}

/**
 * Decides how an attempt starts. It charges the card, asks the payer, waits until the invoice may be charged, or ends. An attempt
 * that a killed worker began is repeated, with the payer's present consent and limit per invoice. When a repeated attempt charges
 * nothing more, its amount still counts towards the day's limit, because the card may have been charged. It ends as `paid` when an
 * event reported the payment first.
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

/** The least delay before a job that ran too early runs again: the clock of its worker may be slow. */
const LOOK_AGAIN_MS = 1_000

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other
}

/** The result of an attempt. `unknown`: the gateway never answered, so the card may have been charged. */
export interface AttemptEnd {
  attempt: number
  outcome: ChargeOutcome['outcome'] | 'no_card' | 'refused' | 'unknown'
  /** Whether an earlier call of this attempt may have charged the card. */
  repeated: boolean
  /** The status of the invoice. */
  status: ChargeFacts['status']
}

/**
 * Decides what follows an attempt. A declined card is tried again 1, 3 and 7 days after the first decline. When the bank requires an
 * action of the payer (`wants_payer`), that is not a decline: the payer is asked to pay, if the invoice is open. A charge that was
 * stopped meanwhile stays stopped. An amount that may have been charged still counts towards the day's limit.
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

/**
 * Returns whether the card may have been charged. A call that was refused or found no card charged nothing, but an earlier call of the
 * same attempt may have charged the card.
 */
function mayHaveCharged({ outcome, repeated }: AttemptEnd): boolean {
  return outcome === 'unknown' || (repeated && (outcome === 'no_card' || outcome === 'refused'))
}
