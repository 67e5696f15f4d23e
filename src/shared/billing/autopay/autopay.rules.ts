import type { SavedCard } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type Cents, plus } from '../../platform/kernel/units.ts'

const DAY_MS = 86_400_000
/** The gateway tells the time of a card in whole seconds. */
const SECOND_MS = 1_000

/** The days after the first decline on which a card is tried again. */
const LADDER = [1, 3, 7] as const

/** What an invoice is raised for. `own`: who raises it pays it. */
export interface Raised {
  kind: 'flight_charge' | 'prepaid_charge' | 'invoice_charge'
  own: boolean
}

/**
 * Returns when an invoice is charged to the payer's card: at once, 24 hours after a mail that says so, or never, so that the payer is
 * asked. The invoice of a flight is not raised before its money may be taken. A price that somebody else set for a booking is
 * never charged. Implements interface §Invoices.
 */
export function whenCharged({ kind, own }: Raised): 'at_once' | 'once_notified' | 'never' {
  if (own || kind === 'flight_charge') return 'at_once'
  return kind === 'prepaid_charge' ? 'never' : 'once_notified'
}

/** What decides about one attempt, in cents. */
export interface ChargeFacts {
  status: string
  /** How many times the lines were replaced. */
  revision: number
  totalCents: Cents
  creditedCents: Cents
  amountPaidCents: Cents
  disputed: boolean
  /** Whether the payer has an account, is still a member and has autopay on. */
  consents: boolean
  maxCents: Cents
  /** What other charges of the payer count for today. */
  chargedTodayCents: Cents
}

/** `above_limit` and `daily_limit` ask the payer; `stopped` ends it without a word. */
export type ChargeDecision = 'charge' | 'above_limit' | 'daily_limit' | 'stopped'

/**
 * Decides whether an invoice is charged now: as it was raised, wholly unpaid, within the payer's limit for one invoice and
 * within twice that for one day. Whatever changed the invoice ends the attempts.
 * Implements interface §Invoices.
 */
export function decideCharge(facts: ChargeFacts): ChargeDecision {
  const { status, revision, totalCents, creditedCents, amountPaidCents, disputed, maxCents } = facts
  const asRaised = status === 'open' && revision === 0 && creditedCents === 0 && amountPaidCents === 0 && !disputed
  if (!asRaised || !facts.consents) return 'stopped'
  if (totalCents > maxCents) return 'above_limit'
  return plus(facts.chargedTodayCents, totalCents) > plus(maxCents, maxCents) ? 'daily_limit' : 'charge'
}

/** Returns when a declined card is tried again: 1, 3 and 7 days after the first decline; null after the third time. */
export function nextAttemptAt(firstDeclinedAt: Date, attempts: number): Date | null {
  const days = LADDER[attempts - 1]
  return days === undefined ? null : new Date(firstDeclinedAt.getTime() + days * DAY_MS)
}

/**
 * Returns the card that autopay charges: the default, or else the newest. One that somebody else’s page saved after the
 * payer switched autopay on is not charged.
 */
export function cardToCharge(cards: readonly SavedCard[], consentedAt: Date): SavedCard | null {
  const seen = (savedAt: Date) => savedAt.getTime() + SECOND_MS <= consentedAt.getTime()
  const allowed = cards.filter(({ savedByPayer, savedAt }) => savedByPayer || seen(savedAt))
  return allowed.find(({ isDefault }) => isDefault) ?? allowed[0] ?? null
}
