import { type Cents, plus } from '../../platform/kernel/units.ts'

/** The terms on which a bill-to payer pays for a member. `maxCentsPerMonth`: null for no limit. */
export interface Consent {
  ledger: boolean
  autopay: boolean
  maxCentsPerMonth: Cents | null
}

/** How a payer is billed, and the consent of a bill-to payer; null when the payer pays for themself. */
export interface PayerFacts {
  name: string
  /** Whether the payer has an account or an address. */
  isReachable: boolean
  /** Whether the payer's invoices are charged on the ledger. */
  onLedger: boolean
  /** Whether the payer has an account and autopay. */
  autopay: boolean
  consent: Consent | null
}

/** What an invoice charges without asking its payer. */
export interface Charged {
  /** It is charged on the ledger in place of a payment. */
  onLedger: boolean
  /** Autopay may charge it. */
  autopay: boolean
  /** The ledger may pay it by itself (`settings.payFromLedger: auto`). */
  fromLedger: boolean
}

const nothing: Charged = { onLedger: false, autopay: false, fromLedger: false }

/** Returns whether the limit of a consent matters for this payer: whether anything would be charged without it. */
export function asksForLimit({ onLedger, autopay, consent }: PayerFacts): boolean {
  return (
    consent !== null &&
    consent.maxCentsPerMonth !== null &&
    (consent.ledger || (autopay && consent.autopay) || onLedger)
  )
}

/**
 * Returns what an invoice charges without asking its payer. `asked`: the payer is asked whatever the terms. A bill-to payer is charged
 * only as far as they consented: the ledger and autopay each for themselves, and within the limit of a month, in which the invoices for
 * the member come to `billedCents` without this one.
 * Implements interface §Members: bill-to payers.
 */
export function chargedWithoutAsking(
  { onLedger, autopay, consent }: PayerFacts,
  { asked, totalCents, billedCents }: { asked: boolean; totalCents: Cents; billedCents: Cents },
): Charged {
  const { ledger = true, autopay: card = true, maxCentsPerMonth: most = null } = consent ?? {}
  if (most !== null && plus(billedCents, totalCents) > most) return nothing
  const charges = !asked && onLedger && ledger
  return { onLedger: charges, autopay: !asked && !charges && autopay && card, fromLedger: ledger }
}

/** Returns the memo of an invoice as its payer reads it: first the member (`billedFor`) for whom a bill-to payer pays. */
export function memoForPayer(billedFor: string | null, memo: string | null): string | null {
  return billedFor === null ? memo : [`For ${billedFor}`, memo ?? []].flat().join(': ')
}
