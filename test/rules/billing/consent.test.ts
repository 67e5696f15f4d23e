import { describe, expect, test } from 'vitest'
import { hasAgreed, isAutomatic, type RaisedFor } from '../../../src/shared/billing/flight-bill/taking.rules.ts'

describe('what the ledger of a payer pays without an act of the payer (§Organizations: payFromLedger)', () => {
  test.for<[string, RaisedFor['kind'], Partial<RaisedFor>, agreed: boolean, automatic: boolean]>([
    ['a flight that the payer signed: at once', 'flight_charge', {}, true, true],
    ['a flight that the payer did not sign: after a mail', 'flight_charge', { asked: true }, false, true],
    ['an invoice by hand: after a mail', 'invoice_charge', {}, false, true],
    ['an invoice that an admin raised to themselves: at once', 'invoice_charge', { own: true }, true, true],
    ['a package that the payer bought: by hand', 'invoice_charge', { own: true, sellsPackage: true }, true, false],
    ['a package that was sold to the payer: by hand', 'invoice_charge', { sellsPackage: true }, false, false],
    ['a prepaid price of the payer: at once', 'prepaid_charge', { own: true }, true, true],
    ['a prepaid price that somebody else set: by hand', 'prepaid_charge', {}, false, false],
  ])('%s', ([, kind, over, agreed, automatic]) => {
    const raised = { kind, own: false, asked: false, sellsPackage: false, ...over }
    expect([hasAgreed(raised), isAutomatic(raised)]).toEqual([agreed, automatic])
  })
})
