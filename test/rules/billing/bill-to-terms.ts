import { expect } from 'vitest'
import { type Charged, type Consent, chargedWithoutAsking } from '../../../src/shared/billing/invoices/payer.rules.ts'
import { type Cents, cents, minus, sum } from '../../../src/shared/platform/kernel/units.ts'

/** The people of a school by how they pay: by a card with autopay, on the ledger, or by invoice. The child may have a bill-to payer. */
export type Payer = 'card' | 'account' | 'guest' | 'child'

/** An invoice by who pays it and whose share it charges. */
export interface Billed {
  payer: Payer
  share: Payer
  status: 'open' | 'paid' | 'void'
  totalCents: Cents
  creditedCents: Cents
}

/** Returns whether an invoice stands: it is neither void nor credited in full. */
export function stands({ status, totalCents, creditedCents }: Omit<Billed, 'payer' | 'share'>): boolean {
  return status !== 'void' && (totalCents === 0 || creditedCents < totalCents)
}

/** Who pays for the child, and on which terms; all invoices are of one month. */
export class BillToTerms {
  private named: Payer | null = null
  private consent: Consent | null = null

  /** A payer has to accept anew; a guest, and the child, cannot be named. */
  name(payer: Payer): void {
    if (payer === 'guest' || payer === 'child') return
    this.named = payer
    this.consent = null
  }

  accept(drawn: number): void {
    if (!this.named) return
    const maxCentsPerMonth = drawn % 5 === 0 ? null : cents(drawn * 40)
    this.consent = { ledger: drawn % 2 === 0, autopay: drawn % 3 > 0, maxCentsPerMonth }
  }

  end(): void {
    this.named = null
    this.consent = null
  }

  payerOf(share: Payer): Payer {
    return share === 'child' && this.named && this.consent ? this.named : share
  }

  /** What an invoice takes when it is raised, which is within the consent. */
  charged({ payer, share, totalCents }: Pick<Billed, 'payer' | 'share' | 'totalCents'>, others: Billed[]): Charged {
    const consent = payer === share ? null : this.consent
    const of = { name: payer, isReachable: true, onLedger: payer === 'account', autopay: payer === 'card', consent }
    const billedCents = billedFor(share, payer, others)
    const charged = chargedWithoutAsking(of, { asked: false, totalCents, billedCents })
    const { ledger = true, autopay = true, maxCentsPerMonth: most = null } = consent ?? {}
    const within = most === null || billedCents + totalCents <= most
    const asAgreed =
      (!charged.onLedger || (of.onLedger && ledger && within)) &&
      (!charged.autopay || (of.autopay && autopay && within)) &&
      (!charged.fromLedger || (ledger && within))
    if (!asAgreed) expect({ of, charged, billedCents, totalCents }).toBe('as agreed')
    return charged
  }

  /** Whether what is open may still be taken from its payer: one who pays for the child still does, and consents. */
  allows(what: 'ledger' | 'autopay', { payer, share }: Pick<Billed, 'payer' | 'share'>, all: Billed[]): boolean {
    if (payer === share) return true
    if (this.payerOf(share) !== payer || !this.consent?.[what]) return false
    const { maxCentsPerMonth: most } = this.consent
    return most === null || billedFor(share, payer, all) <= most
  }
}

function billedFor(share: Payer, payer: Payer, invoices: Billed[]): Cents {
  const those = invoices.filter((one) => one.share === share && one.payer === payer && stands(one))
  return sum(those.map(({ totalCents, creditedCents }) => minus(totalCents, creditedCents)))
}
