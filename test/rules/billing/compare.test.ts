import { describe, expect, test } from 'vitest'
import { differencesOf, type InvoiceToCompare } from '../../../src/shared/billing/invoices/compare.rules.ts'
import type { GatewayInvoice } from '../../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

type Status = InvoiceToCompare['status']

const ours = (status: Status, keys: string[], issued = true): InvoiceToCompare => ({
  id: 1,
  organizationId: 1,
  status,
  keys,
  issued,
})
const theirs = (status: GatewayInvoice['status'], key: string | null): GatewayInvoice => ({
  gatewayInvoiceId: `in_${key}`,
  gatewayCustomerId: 'cus_1',
  status,
  payUrl: null,
  pdfUrl: null,
  currency: 'usd',
  totalCents: cents(4_500),
  amountPaidCents: cents(0),
  amountDueCents: cents(4_500),
  paidAt: null,
  key,
  reference: { organizationId: 1, invoiceId: 1 },
})

describe('an invoice of a restored database, beside the gateway', () => {
  const cases: [string, InvoiceToCompare[], GatewayInvoice[], [unknown: number, moved: number, missing: number]][] = [
    ['that has it open too', [ours('open', ['a'])], [theirs('open', 'a')], [0, 0, 0]],
    ['where it was paid since', [ours('open', ['a'])], [theirs('paid', 'a')], [0, 1, 0]],
    ['where it was raised since', [ours('pending', ['a'], false)], [theirs('open', 'a')], [0, 1, 0]],
    ['that was not asked for it yet', [ours('pending', ['a'], false)], [], [0, 0, 0]],
    ['that has it no more', [ours('open', ['a'])], [], [0, 0, 1]],
    [
      'that has another, raised after the backup',
      [ours('open', ['a'])],
      [theirs('open', 'a'), theirs('paid', 'b')],
      [1, 0, 0],
    ],
    [
      'where its lines were replaced since',
      [ours('open', ['a'])],
      [theirs('void', 'a'), theirs('open', 'b')],
      [1, 1, 0],
    ],
    [
      'where earlier lines of it were voided before',
      [ours('open', ['a', 'b'])],
      [theirs('void', 'a'), theirs('open', 'b')],
      [0, 0, 0],
    ],
    ['that took it as paid here too', [ours('paid', ['a'])], [theirs('paid', 'a')], [0, 0, 0]],
  ]
  test.for(cases)('%s', ([, here, there, [unknown, moved, missing]]) => {
    const found = differencesOf(here, there)
    expect([found.unknown.length, found.moved.length, found.missing.length]).toEqual([unknown, moved, missing])
  })
})
