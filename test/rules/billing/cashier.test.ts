import { describe, expect, test } from 'vitest'
import { cashierLeft } from '../../../src/shared/billing/ledger/cashier.rules.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

describe('what a cashier may take more of a payer in a day (§22.2)', () => {
  test.each([
    ['nothing taken', 0, 0, 2_000],
    ['a part from this payer', 1_999, 1_999, 1],
    ['all from this payer', 2_000, 2_000, 0],
    ['all payers together reach five times the limit', 0, 10_000, 0],
    ['all payers together leave less than this payer', 500, 9_000, 1_000],
    ['above both, after the limit was lowered', 3_000, 12_000, 0],
  ])('%s: of this payer %i, of all %i, leaves %i', (_, ofPayer, ofAll, left) => {
    expect(cashierLeft(cents(2_000), { ofPayerCents: cents(ofPayer), ofAllCents: cents(ofAll) })).toBe(left)
  })
})
