import type { SavedCard } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type Cents, plus } from '../../platform/kernel/units.ts'

const DAY_MS = 86_400_000
/** The gateway gives the time at which a card was saved in whole seconds. */
const SECOND_MS = 1_000

/** The days after the first decline on which a card is tried again. */
const LADDER = [1, 3, 7] as const

/** What an invoice is raised for. `own`: the payer raised it. */
export interface Raised {
  kind: 'flight_charge' | 'prepaid_charge' | 'invoice_charge'
  own: boolean
}

/**
 * Returns when an invoice is charged to the payer's card. `at_once`: the payer raised it, or it is the invoice of a flight, which is
 * raised only when the payer's money may be charged. `never`: somebody else set a price for a booking; the payer is asked to pay.
 * `once_notified`: all other invoices, 24 hours after a mail that announces the charge. Implements interface §Invoices.
 */
export function whenCharged({ kind, own }: Raised): 'at_once' | 'once_notified' | 'never' {
  if (own || kind === 'flight_charge') return 'at_once'
  return kind === 'prepaid_charge' ? 'never' : 'once_notified'
}

/** The facts that decide whether one attempt charges the card. Money in cents. */
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
  /** The sum of the payer's other charges that count towards the limit of today. */
  chargedTodayCents: Cents
}

/** `above_limit`, `daily_limit`: the payer is asked to pay. `stopped`: the charge ends and the payer is not notified. */
export type ChargeDecision = 'charge' | 'above_limit' | 'daily_limit' | 'stopped'

/**
 * Decides whether an invoice is charged now. `stopped`: the payer does not consent, or the invoice was changed, paid in part or
 * disputed since it was raised. `above_limit`: the total exceeds the payer's limit per invoice. `daily_limit`: the payer's charges of
 * the day would exceed twice that limit.
 * Implements interface §Invoices.
 */
export function decideCharge(facts: ChargeFacts): ChargeDecision {
  const { status, revision, totalCents, creditedCents, amountPaidCents, disputed, maxCents } = facts
  const asRaised = status === 'open' && revision === 0 && creditedCents === 0 && amountPaidCents === 0 && !disputed
  if (!asRaised || !facts.consents) return 'stopped'
  if (totalCents > maxCents) return 'above_limit'
  return plus(facts.chargedTodayCents, totalCents) > plus(maxCents, maxCents) ? 'daily_limit' : 'charge'
}

/** Returns when a declined card is tried again: 1, 3 and 7 days after the first decline; null after the fourth attempt. */
export function nextAttemptAt(firstDeclinedAt: Date, attempts: number): Date | null {
  const days = LADDER[attempts - 1]
  return days === undefined ? null : new Date(firstDeclinedAt.getTime() + days * DAY_MS)
}

/**
 * Returns the card that autopay charges: the default card, otherwise the first of the list; null when there is none. A card that was
 * saved after the payer switched autopay on is charged only when the payer requested the page on which it was saved.
 */
export function cardToCharge(cards: readonly SavedCard[], consentedAt: Date): SavedCard | null {
  const seen = (savedAt: Date) => savedAt.getTime() + SECOND_MS <= consentedAt.getTime()
  const allowed = cards.filter(({ savedByPayer, savedAt }) => savedByPayer || seen(savedAt))
  return allowed.find(({ isDefault }) => isDefault) ?? allowed[0] ?? null
}
