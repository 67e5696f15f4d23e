import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoiceSheet } from '../../../../src/api/billing/invoices/pdf/invoice-sheet.ts'
import { renderSheet } from '../../../../src/api/billing/invoices/pdf/render-sheet.ts'
import type { InvoiceRow } from '../../../../src/shared/billing/invoices/invoice.queries.ts'
import { cents, hundredths, ZERO } from '../../../../src/shared/platform/kernel/units.ts'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildSchool, type School } from '../../../support/builders.ts'
import { buildInvoice } from '../../../support/records.ts'

const at = '2026-11-21T03:00:00.000Z'
const stamps = { createdAt: at, updatedAt: at }

const row: InvoiceRow = {
  id: 7,
  created_at: new Date('2026-11-21T03:00:00Z'),
  updated_at: new Date('2026-11-21T03:00:00Z'),
  number: 31,
  status: 'open',
  settlement: 'processor',
  reservation_id: null,
  enrollment_id: null,
  membership_id: 5,
  guest_id: null,
  raised_by: null,
  billed_for: null,
  undelivered: null,
  payer_name: 'Łukasz Żółć',
  payer_email: 'lukasz@example.com',
  payer_phone: null,
  memo: 'Lesson 4: stalls',
  total_cents: cents(33_600),
  credited_cents: ZERO,
  amount_paid_cents: cents(0),
  currency: 'usd',
  due_at: new Date('2026-12-01T12:00:00Z'),
  paid_at: null,
  payment_method: null,
  refunded_cents: cents(0),
  overpaid_cents: ZERO,
  dispute_status: null,
  dispute_cents: null,
  dispute_due_at: null,
  payments: [],
  tax_cents: ZERO,
  taxes: [],
  refunded_at: null,
  refund_waiting_at: null,
  voided_at: null,
  void_reason: null,
  pay_url: 'https://pay.example/31',
  pdf_url: null,
  gateway_invoice_id: null,
  gateway_error: null,
  reminded_at: null,
  items: [
    {
      id: 1,
      kind: 'aircraft',
      description: 'N512FL (wet, Hobbs)',
      quantityHundredths: hundredths(140),
      unit: 'hour',
      unitPrice: cents(18_000),
      amountCents: cents(25_200),
      taxCents: ZERO,
      ...stamps,
    },
    {
      id: 2,
      kind: 'flight_instruction',
      description: 'Flight instruction, Ana Ruiz',
      quantityHundredths: hundredths(140),
      unit: 'hour',
      unitPrice: cents(6_000),
      amountCents: cents(8_400),
      taxCents: ZERO,
      ...stamps,
    },
  ],
}
const school = {
  name: 'Bay Flight Academy',
  details: {
    email: 'desk@bayflight.example',
    phone: '+1 510 555 0100',
    address: { line1: '20301 Skywest Dr', city: 'Hayward', state: 'CA', postalCode: '94541', country: 'US' },
  },
  zone: 'America/Los_Angeles',
}

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

describe('the PDF of an invoice (§Invoices)', () => {
  test('says who bills whom for what, until when and where to pay', () => {
    expect(invoiceSheet(row, school)).toEqual({
      title: 'Invoice 31',
      from: [
        'Bay Flight Academy',
        '20301 Skywest Dr',
        'Hayward, CA 94541',
        'US',
        '+1 510 555 0100',
        'desk@bayflight.example',
      ],
      to: ['Łukasz Żółć', 'lukasz@example.com'],
      // Evening of the 20th where the school is.
      facts: [
        ['Date', '2026-11-20'],
        ['Due', '2026-12-01'],
      ],
      lines: [
        { description: 'N512FL (wet, Hobbs)', quantity: '1.4 hours', price: '$180.00', amount: '$252.00' },
        { description: 'Flight instruction, Ana Ruiz', quantity: '1.4 hours', price: '$60.00', amount: '$84.00' },
      ],
      totals: [
        ['Total', '$336.00'],
        ['Amount due', '$336.00'],
      ],
      payments: [],
      payUrl: 'https://pay.example/31',
      memo: 'Lesson 4: stalls',
      stamp: null,
      country: 'US',
    })
  })

  test('says when and how each part was paid, and who recorded it', () => {
    const part = {
      amountCents: cents(20_000),
      receivedAt: '2026-11-21T02:00:00.000Z',
      reversedCents: cents(0),
      ...stamps,
    }
    const notReversed = {
      receiptNumber: null,
      reversedAt: null,
      reversedBy: null,
      reversalReason: null,
      reversalAskedAt: null,
    }
    const payments = [
      { id: 1, ...part, method: 'check' as const, reference: '1042', recordedBy: { orgUserId: 2, name: 'Ana Ruiz' } },
      { id: 2, ...part, method: 'card' as const, reference: null, recordedBy: null },
    ].map((payment) => ({ ...payment, ...notReversed }))
    const bounced = { ...payments[0]!, reversedCents: cents(20_000), reversedAt: '2026-11-25T20:00:00.000Z' }
    expect(invoiceSheet({ ...row, payments: [...payments, bounced] }, school).payments).toEqual([
      '2026-11-20: $200.00 by check, 1042, noted by Ana Ruiz',
      '2026-11-20: $200.00 by card',
      '2026-11-20: $200.00 by check, 1042, noted by Ana Ruiz, $200.00 of it reversed on 2026-11-25',
    ])
  })

  test('asks for no payment once the invoice is paid or void', () => {
    const paid = {
      ...row,
      status: 'paid' as const,
      amount_paid_cents: cents(33_600),
      paid_at: new Date('2026-11-22T20:00:00Z'),
    }
    expect(invoiceSheet(paid, school)).toMatchObject({
      stamp: 'Paid',
      payUrl: null,
      totals: [
        ['Total', '$336.00'],
        ['Paid', '$336.00'],
        ['Amount due', '$0.00'],
      ],
    })
    const gone = { ...row, status: 'void' as const, voided_at: new Date('2026-11-22T20:00:00Z') }
    expect(invoiceSheet(gone, school)).toMatchObject({ stamp: 'Void', payUrl: null, title: 'Invoice 31' })
    expect(invoiceSheet({ ...row, status: 'pending', number: null, pay_url: null }, school).title).toBe('Invoice')
  })

  test.for([
    [
      'what went back of a part payment is due no more, as it is credited: 336 − 100 − 100 + 100',
      {
        status: 'open',
        credited_cents: cents(10_000),
        amount_paid_cents: cents(10_000),
        refunded_cents: cents(10_000),
      },
      [
        ['Total', '$336.00'],
        ['Credited', '$100.00'],
        ['Paid', '$100.00'],
        ['Refunded', '$100.00'],
        ['Amount due', '$236.00'],
      ],
    ],
    [
      'a credit is the payer’s until it goes back: 336 − 100 − 336 + 40 + 60',
      { status: 'paid', credited_cents: cents(10_000), amount_paid_cents: cents(33_600), refunded_cents: cents(4_000) },
      [
        ['Total', '$336.00'],
        ['Credited', '$100.00'],
        ['Paid', '$336.00'],
        ['Refunded', '$40.00'],
        ['Paid beyond what is due', '$60.00'],
        ['Amount due', '$0.00'],
      ],
    ],
    [
      'a void invoice owes nothing, whatever came in late and went back',
      { status: 'void', refunded_cents: cents(33_600) },
      [
        ['Total', '$336.00'],
        ['Amount due', '$0.00'],
      ],
    ],
  ] as const)('adds up: %s', ([, figures, totals]) => {
    expect(invoiceSheet({ ...row, ...figures }, school).totals).toEqual(totals)
  })

  test('is one page with the pay link on it', async () => {
    const pdf = await renderSheet(invoiceSheet(row, school), row.created_at)
    const text = pdf.toString('latin1')
    expect(text.startsWith('%PDF-1.')).toBe(true)
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
    expect(pages(pdf)).toBe(1)
    expect(text).toContain('/URI (https://pay.example/31)')
  })

  test('is tagged for screen readers, in English, and names itself by its title', async () => {
    const text = (await renderSheet(invoiceSheet(row, school), row.created_at)).toString('latin1')
    expect(text).toContain('/Marked true')
    expect(text).toContain('/Lang (en-US)')
    expect(text).toContain('/DisplayDocTitle true')
    expect(text).toContain('<pdfuaid:part>1</pdfuaid:part>')
    const tags = [...text.matchAll(/\/S \/([A-Z]\w*)\b/g)].map(([, tag]) => tag)
    // Two lines of an invoice: a row of four headings and two of four cells.
    const count = (tag: string) => tags.filter((one) => one === tag).length
    expect(['H1', 'Table', 'TR', 'TH', 'TD', 'Link'].map(count)).toEqual([1, 1, 3, 4, 8, 1])
  })

  test.for([
    ['US', '612 792'],
    ['CA', '612 792'],
    [null, '612 792'],
    ['GB', '595.28 841.89'],
    ['DE', '595.28 841.89'],
  ] as const)('has the paper of its country: %s is %s points', async ([country, size]) => {
    const address = { ...school.details.address, country }
    const pdf = await renderSheet(
      invoiceSheet(row, { ...school, details: { ...school.details, address } }),
      row.created_at,
    )
    expect(pdf.toString('latin1')).toContain(`/MediaBox [0 0 ${size}]`)
  })

  test('has as many pages as a hundred long lines need', async () => {
    const items = Array.from({ length: 100 }, (_, id) => ({
      ...row.items[0]!,
      id,
      description: `${'Cross-country with three full-stop landings '.repeat(8)}${id}`,
    }))
    const pdf = await renderSheet(invoiceSheet({ ...row, items, memo: 'x'.repeat(2000) }, school), row.created_at)
    expect(pages(pdf)).toBeGreaterThan(10)
    expect(pages(pdf)).toBeLessThan(30)
  })
})

describe('GET /invoices/{id}?format=pdf', () => {
  let api: TestApp
  let here: School
  beforeAll(async () => {
    api = await startTestApp()
    here = await buildSchool(api)
  })
  afterAll(() => api.close())

  test('answers a PDF under the number of the invoice', async () => {
    const id = await buildInvoice(api, here, { payer: here.student })
    const answer = await api.as(here.student).get(`/invoices/${id}?format=pdf`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toBe('inline; filename="invoice-31.pdf"')
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })
})
