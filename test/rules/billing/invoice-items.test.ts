import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invoiceKey, newInvoiceKey } from '../../../src/shared/billing/invoices/gateway-keys.ts'
import { linesOf } from '../../../src/shared/billing/invoices/items.rules.ts'
import { multiplyPrice } from '../../../src/shared/platform/kernel/money.ts'
import { cents, hundredths, minus, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const item = { description: 'Books', quantityHundredths: hundredths(100), unit: 'piece', unitPrice: cents(4500) }

describe('the amount of a line is its quantity times its price', () => {
  test.each([
    [100, 4500, 4500],
    [250, 333, 833], // 8.325 is 8.33: half up
    [1, 49, 0], // 0.49 cents
    [1, 50, 1], // half a cent
    [33, 100, 33],
    [100, -500, -500],
    [250, -333, -833], // as large as the charge that it takes back
    [0, 4500, 0],
    [1_000_000, 99_999_999, 999_999_990_000],
  ])('so %i hundredths at %i cents are %i cents', (quantity, price, amount) => {
    expect(multiplyPrice(hundredths(quantity), cents(price))).toBe(amount)
  })

  test('so a discount takes back exactly what was charged', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000).map(hundredths), fc.nat(99_999_999).map(cents), (quantity, price) => {
        expect(multiplyPrice(quantity, minus(ZERO, price)) + multiplyPrice(quantity, price)).toBe(0)
      }),
    )
  })

  test('and a negative quantity is refused', () => {
    expect(() => multiplyPrice(hundredths(-1), cents(100))).toThrow(RangeError)
  })
})

describe('the lines of a written invoice (§Invoices, POST /invoices)', () => {
  test('are billed in order, and a line of the invoice keeps its kind', () => {
    const present = [{ ...item, id: 8, kind: 'aircraft', amountCents: cents(4_500), taxCents: cents(0) }]
    const { lines, problems } = linesOf([item, { ...item, id: 8, unitPrice: cents(100) }], present)
    expect(problems).toEqual([])
    expect(lines).toEqual([
      { ...item, kind: 'other', amountCents: 4500 },
      { ...item, unitPrice: 100, kind: 'aircraft', amountCents: 100 },
    ])
  })

  test.each(['package', 'package_shortfall'])('keep the price of a %s, with its taxes, and refuse another', (kind) => {
    // 250.00 with 5 % of tax within: 23,810 net and 1,190 of tax.
    const of = { quantityHundredths: hundredths(100), unitPrice: cents(23_810) }
    const line = { ...of, id: 8, kind, amountCents: cents(23_810), taxCents: cents(1_190) }
    const asked = { ...of, id: 8, description: 'Discovery flight', unit: 'package' }
    const kept = linesOf([asked, item], [line])
    expect(kept.problems).toEqual([])
    expect(kept.lines).toMatchObject([
      { kind, unitPrice: 25_000, amountCents: 25_000 },
      { kind: 'other', amountCents: 4_500 },
    ])
    for (const changed of [{ unitPrice: cents(50) }, { quantityHundredths: hundredths(50) }]) {
      const { problems } = linesOf([{ ...asked, ...changed }, item], [line])
      expect(problems.map(({ field }) => field)).toEqual(['items.0.unitPrice'])
    }
    expect(linesOf([asked, asked], [line]).problems).toMatchObject([{ field: 'items.1.unitPrice' }])
  })

  test.each([
    [[{ ...item, unitPrice: cents(49) }], 'items: must total at least 50 cents'],
    [[item, { ...item, unitPrice: cents(-4451) }], 'items: must total at least 50 cents'],
    [
      [{ ...item, quantityHundredths: hundredths(101), unitPrice: cents(2_000_000_000) }],
      'items: must be at most 2000000000 cents',
    ],
    [
      [
        { ...item, quantityHundredths: hundredths(1_000_000), unitPrice: cents(99_999_999) },
        { ...item, quantityHundredths: hundredths(1_000_000), unitPrice: cents(-99_999_998) },
      ],
      'items.0: must be at most 2000000000 cents; items.1: must be at most 2000000000 cents',
    ],
    [new Array(100).fill({ ...item, unitPrice: cents(99_999_999) }), 'items: must be at most 2000000000 cents'],
    [[{ ...item, id: 9 }], 'items.0.id: the invoice has no such line'],
  ])('are refused in case %#', (items, message) => {
    expect(
      linesOf(items)
        .problems.map((problem) => problem.message)
        .join('; '),
    ).toBe(message)
  })

  test('are taken from exactly 50 cents up to the largest bill', () => {
    expect(linesOf([{ ...item, unitPrice: cents(50) }]).problems).toEqual([])
    expect(linesOf([{ ...item, unitPrice: cents(2_000_000_000) }]).problems).toEqual([])
  })
})

test('an invoice has another key at the processor for each time that its lines were replaced', () => {
  const gatewayKeys = ['inv_first', 'inv_second', newInvoiceKey()]
  const keyOf = (revision?: number) => invoiceKey({ gatewayKeys, ...(revision !== undefined && { revision }) })
  expect([keyOf(), keyOf(0), keyOf(1)]).toEqual(['inv_first', 'inv_first', 'inv_second'])
  expect(keyOf(2)).toMatch(/^inv_[0-9a-f-]{36}$/)
  expect(() => keyOf(3)).toThrow('the invoice has no lines of revision 3')
})
