import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk } from '../../../support/flights.ts'

interface Invoice {
  id: number
  processor: { invoiceId: string }
  items: { id: number; kind: string }[]
}

const rates = [
  { name: 'Sales tax', basisPoints: 725, appliesTo: ['aircraft'] },
  { name: 'City tax', basisPoints: 100 },
]

const test = billingTest()
  .extend(
    'setTaxes',
    ({ env: { api, school } }) =>
      (taxRates: object[]) =>
        expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { taxRates } }),
  )
  .extend('billed', ({ env: { api, school } }) => async (student: Member, start = '2026-11-23T10:00:00Z') => {
    const end = new Date(Date.parse(start) + 7_200_000).toISOString()
    const id = await closedOutFlight(api, school, { students: [student], start, end })
    const [invoice] = await expectOk<Invoice[]>(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    return { id, invoice: invoice! }
  })

describe('the taxes of a school (§Invoices, taxes)', () => {
  test('are added by line and by rate, shown beforehand, and reach the processor, the statement, the balances and the revenue', async ({
    env,
    setTaxes,
    billed,
  }) => {
    const { api, school, simulator } = env
    await setTaxes(rates)
    const { id, invoice } = await billed(school.student)
    // 1.4 h × $180 = 25,200: 7.25 % are 1,827 and 1 % are 252. 1.4 h × $60 = 8,400: 1 % are 84.
    const taxes = [
      { name: 'Sales tax', basisPoints: 725, taxableCents: 25_200, taxCents: 1_827 },
      { name: 'City tax', basisPoints: 100, taxableCents: 33_600, taxCents: 336 },
    ]
    const figures = { subtotalCents: 33_600, taxes, taxCents: 2_163, totalCents: 35_763 }
    expect(invoice).toMatchObject({
      ...figures,
      items: [
        { kind: 'aircraft', amountCents: 25_200, taxCents: 2_079 },
        { kind: 'flight_instruction', amountCents: 8_400, taxCents: 84 },
      ],
    })
    const totals = await expectOk(api, school.admin, 'GET', `/invoices/reservation/${id}/invoiceTotals`)
    expect(totals).toMatchObject({ ...figures, shares: [{ amountCents: 35_763 }] })
    const there = (await simulator.everything()).invoices.find((one) => one.id === invoice.processor.invoiceId)
    expect(there?.lines.data.map(({ description, amount }) => [description, amount])).toEqual([
      [expect.stringContaining('(wet, Hobbs)'), 25_200],
      [expect.stringContaining('Flight instruction'), 8_400],
      ['Sales tax', 1_827],
      ['City tax', 336],
    ])
    const statement = await expectOk(
      api,
      school.admin,
      'GET',
      `/orgUsers/${school.student.orgUserId}/statement?startDate=2026-01-01&endDate=2027-01-01`,
    )
    expect(statement).toMatchObject({ closingBalanceCents: 35_763, rows: [{ kind: 'invoice', amountCents: 35_763 }] })
    const balances = await expectOk<{ orgUserId: number }[]>(api, school.admin, 'GET', '/reports/balances')
    expect(balances.find(({ orgUserId }) => orgUserId === school.student.orgUserId)).toMatchObject({
      balanceCents: 35_763,
    })
    await expectOk(api, school.admin, 'PATCH', `/invoices/${invoice.id}`, { paid: true })
    const today = new Date().toISOString().slice(0, 10)
    const revenue = await api.as(school.admin).get(`/reports/revenue?startDate=${today}&endDate=${today}`)
    expect(revenue.statusCode, revenue.body).toBe(200)
    expect(revenue.body).toContain('"tax"')
  })

  test('are within a credit: a credit in full takes exactly the tax that was billed', async ({
    env,
    setTaxes,
    billed,
  }) => {
    const { api, school } = env
    await setTaxes(rates)
    const student = await buildMember(api, school.organizationId, ['student'])
    const { invoice } = await billed(student, '2026-11-24T10:00:00Z')
    await expectOk(api, school.admin, 'PATCH', `/invoices/${invoice.id}`, { paid: true, paymentMethod: 'cash' })
    const credit = (body: object) =>
      expectOk(api, school.admin, 'POST', `/invoices/${invoice.id}/creditNotes`, {
        reason: 'Wrong',
        refund: 'offline',
        ...body,
      })
    // The aircraft's line is 27,279 with its tax of 2,079: 9,093 of it are a third, with 693 of tax.
    expect(await credit({ items: [{ itemId: invoice.items[0]!.id, amountCents: 9_093 }] })).toMatchObject({
      amountCents: 9_093,
      taxCents: 693,
    })
    expect(await credit({ amountCents: 26_670 })).toMatchObject({ amountCents: 26_670, taxCents: 1_470 })
  })

  test('leave nothing due of an invoice whose only line is credited by the amount that it shows', async ({
    env: { api, school },
    setTaxes,
  }) => {
    await setTaxes([{ name: 'VAT', basisPoints: 2_000 }])
    const customer = { orgUserId: school.student.orgUserId }
    const items = [{ description: 'Ground school', unitPrice: 10_000 }]
    const { id, items: lines } = await expectOk<Invoice>(api, school.admin, 'POST', '/invoices', { customer, items })
    const asked = { items: [{ itemId: lines[0]!.id, amountCents: 10_000 }], reason: 'Not held', refund: 'none' }
    const credit = await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, asked)
    expect(credit).toMatchObject({ amountCents: 12_000, taxCents: 2_000 })
    const left = await expectOk(api, school.admin, 'GET', `/invoices/${id}`)
    expect(left).toMatchObject({ status: 'void', voidReason: 'credited', creditedCents: 12_000, amountDueCents: 0 })
  })

  test('follow new lines of an unpaid invoice, and not those who are exempt', async ({ env, setTaxes, billed }) => {
    const { api, school } = env
    await setTaxes([{ name: 'Sales tax', basisPoints: 1_000 }])
    const student = await buildMember(api, school.organizationId, ['student'])
    const { invoice } = await billed(student, '2026-11-25T10:00:00Z')
    const items = [{ description: 'Agreed', unitPrice: 20_000 }]
    const changed = await expectOk(api, school.admin, 'PATCH', `/invoices/${invoice.id}`, { items })
    expect(changed).toMatchObject({ subtotalCents: 20_000, taxCents: 2_000, totalCents: 22_000 })
    const exempt = await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { taxExempt: true })
    expect(exempt).toMatchObject({ taxExempt: true })
    const again = await expectOk(api, school.admin, 'PATCH', `/invoices/${invoice.id}`, { items })
    expect(again).toMatchObject({ taxes: [], taxCents: 0, totalCents: 20_000 })
    const seen = await expectOk(api, school.instructor, 'GET', `/orgUsers/${student.orgUserId}`)
    expect(seen).toMatchObject({ taxExempt: null })
  })

  test.for([
    ['above 100 %', [{ name: 'Tax', basisPoints: 10_001 }], 'settings.taxRates.0.basisPoints'],
    ['below nothing', [{ name: 'Tax', basisPoints: -1 }], 'settings.taxRates.0.basisPoints'],
    ['on a kind of line that there is not', [{ name: 'Tax', basisPoints: 1, appliesTo: ['tax'] }], 'appliesTo'],
    ['at another school’s location', [{ name: 'Tax', basisPoints: 1, locationIds: [999_999] }], 'no such location'],
    ['more than ten', Array.from({ length: 11 }, () => ({ name: 'Tax', basisPoints: 1 })), 'settings.taxRates'],
  ] as const)('are refused: %s', async ([, taxRates, words], { env: { api, school } }) => {
    const refused = await api.as(school.admin).patch('/organizations', { settings: { taxRates } })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(words)
  })

  test('never make an invoice with a discount less than the least', async ({
    env: { api, school },
    setTaxes,
    billed,
  }) => {
    await setTaxes([])
    const student = await buildMember(api, school.organizationId, ['student'])
    const { invoice } = await billed(student, '2026-11-26T10:00:00Z')
    await setTaxes([{ name: 'Tax', basisPoints: 10_000, appliesTo: ['other'] }])
    // 25,200 − 25,100 = 100 without taxes; the discount's tax of −25,100 would turn the invoice over.
    const items = [
      { id: invoice.items[0]!.id, description: 'Aircraft', quantity: 1, unitPrice: 25_200 },
      { description: 'Discount', unitPrice: -25_100 },
    ]
    const refused = await api.as(school.admin).patch(`/invoices/${invoice.id}`, { items })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'items: must total at least 50 cents'])
    await setTaxes([])
  })
})
