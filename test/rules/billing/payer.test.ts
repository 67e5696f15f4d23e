import { describe, expect, test } from 'vitest'
import { asksForLimit, type Charged, chargedWithoutAsking } from '../../../src/shared/billing/invoices/payer.rules.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

const person = { name: 'Pat Parent', isReachable: true }
const own = { ...person, onLedger: true, autopay: true, consent: null }
const consent = (ledger: boolean, autopay: boolean, most: number | null = null) => ({
  ledger,
  autopay,
  maxCentsPerMonth: most === null ? null : cents(most),
})
const nothing = { onLedger: false, autopay: false, fromLedger: false }

describe('what an invoice charges without asking its payer (§Members: bill-to payers)', () => {
  const of = (asked = false, total = 10_000, billed = 0) => ({
    asked,
    totalCents: cents(total),
    billedCents: cents(billed),
  })
  test.each<[string, Parameters<typeof chargedWithoutAsking>, Charged]>([
    ['one’s own ledger', [own, of()], { onLedger: true, autopay: false, fromLedger: true }],
    ['one’s own card', [{ ...own, onLedger: false }, of()], { onLedger: false, autopay: true, fromLedger: true }],
    ['nothing of who is asked', [own, of(true)], { ...nothing, fromLedger: true }],
    ['nothing of a payer who consented to invoices', [{ ...own, consent: consent(false, false) }, of()], nothing],
    [
      'the ledger of a payer who consented to it',
      [{ ...own, consent: consent(true, false) }, of()],
      { onLedger: true, autopay: false, fromLedger: true },
    ],
    [
      'the card, and no ledger, of a payer who consented to autopay',
      [{ ...own, consent: consent(false, true) }, of()],
      { onLedger: false, autopay: true, fromLedger: false },
    ],
    ['no card that is not set up', [{ ...own, autopay: false, consent: consent(false, true) }, of()], nothing],
    [
      'up to the limit of the month',
      [{ ...own, consent: consent(true, true, 30_000) }, of(false, 10_000, 20_000)],
      { onLedger: true, autopay: false, fromLedger: true },
    ],
    ['nothing a cent above it', [{ ...own, consent: consent(true, true, 30_000) }, of(false, 10_000, 20_001)], nothing],
  ])('%s', (_what, [facts, about], charged) => {
    expect(chargedWithoutAsking(facts, about)).toEqual(charged)
  })

  test.each([
    ['of a payer without a limit', consent(true, true), false],
    ['of a payer who is only invoiced', consent(false, false, 5_000), false],
    ['of a payer who consented with a limit', consent(true, false, 5_000), true],
  ])('the invoices of the month are added up %s: %o → %s', (_what, given, asks) => {
    expect(asksForLimit({ ...own, onLedger: false, consent: given })).toBe(asks)
  })
})
