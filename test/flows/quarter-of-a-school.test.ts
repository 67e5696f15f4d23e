import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSchool, buildDemoSchool } from '../../local/demo/school/build-school.ts'
import { payInvoices } from '../../local/demo/school/pay-invoices.ts'
import { DEMO_PASSWORD } from '../../local/demo/school/people.ts'
import { formatMoney } from '../../src/shared/platform/kernel/money.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { expectOk } from '../support/flights.ts'
import { pdfText } from '../support/pdf-text.ts'

interface Invoice {
  id: number
  status: string
  settlement: string
  customer: { orgUserId: number } | null
  items: { amountCents: number; taxCents: number }[]
  subtotalCents: number
  taxes: { taxableCents: number; taxCents: number }[]
  taxCents: number
  totalCents: number
  creditedCents: number
  amountPaidCents: number
  amountDueCents: number
  refundedCents: number
  payUrl: string | null
  payments: { id: number; amountCents: number; reversedCents: number; method: string }[]
  processor: { invoiceId: string | null } | null
}

interface Credit {
  id: number
  amountCents: number
  taxCents: number
  refundedCents: number
}

interface Balance {
  orgUserId: number | null
  name: string
  dueCents: number
  ledgerBalanceCents: number
  balanceCents: number
}

let env: BillingEnv
let demo: BuiltSchool
let admin: { token: string }
const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((sum, row) => sum + of(row), 0)
const ask = <T>(path: string) => expectOk<T>(env.api, admin, 'GET', path)
const send = <T>(path: string, body: object) => expectOk<T>(env.api, admin, 'POST', path, body)
const printed = (amount: number) => formatMoney(cents(amount), 'usd').replaceAll(/\s/g, '')
/** The quarter that the demo school has flown, to tomorrow. */
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const quarter = `startDate=${day(-100)}&endDate=${day(1)}`

async function paper(path: string): Promise<string> {
  const response = await env.api.as(admin).get(path)
  expect(response.headers['content-type']).toBe('application/pdf')
  return pdfText(response.rawPayload)
}

beforeAll(async () => {
  env = await startBilling('postgres')
  const { core, config } = env.api
  const keys = JSON.parse(config.AUTH_KEYS ?? '')
  const { database, clock } = core
  demo = await buildDemoSchool({
    database,
    clock,
    keys,
    invoices: true,
    receiverUrl: 'http://127.0.0.1:12112',
    files: false,
  })
  const body = { email: 'olivia@bayflight.example', password: DEMO_PASSWORD }
  admin = (await env.api.call('POST', '/auth', { body })).json().data
}, 120_000)
afterAll(() => env.close())

/** What a month end has beside flights: parts, a bounced check, refunds of each kind, a tax on what is no flight. */
async function endTheMonth(): Promise<void> {
  const { simulator, workers } = env
  await payInvoices(env.api.config.DATABASE_URL ?? '', demo.toPay, 60_000)
  await workers.settled()
  const { rita, sam } = demo.actors
  const raise = async (orgUserId: number, unitPrice: number) => {
    const items = [{ description: 'Ground school', unitPrice }]
    const { id } = await send<Invoice>('/invoices', { customer: { orgUserId }, items })
    return eventually(
      () => ask<Invoice>(`/invoices/${id}`),
      ({ status }) => status === 'open',
    )
  }
  const pay = async ({ id, payUrl }: Invoice) => {
    await fetch(payUrl ?? '', { method: 'POST', redirect: 'manual' })
    return eventually(
      () => ask<Invoice>(`/invoices/${id}`),
      ({ status }) => status === 'paid',
    )
  }
  // 10.25 % of tax on 33,333 are 3,416.63: 36,750 in all.
  const parts = await raise(rita.orgUserId, 33_333)
  expect(parts.totalCents).toBe(36_750)
  await send(`/invoices/${parts.id}/payments`, { amountCents: 10_000, method: 'cash' })
  const bounced = await send<Invoice>(`/invoices/${parts.id}/payments`, { amountCents: 5_000, method: 'check' })
  await send(`/invoices/${parts.id}/payments/${bounced.payments.at(-1)!.id}/reverse`, { reason: 'It bounced' })
  const credited = await pay(await raise(sam.orgUserId, 20_000))
  await send(`/invoices/${credited.id}/creditNotes`, {
    amountCents: 7_777,
    reason: 'Two evenings fell out',
    refund: 'processor',
  })
  const atDashboard = await pay(await raise(sam.orgUserId, 9_999))
  await simulator.move(atDashboard.processor?.invoiceId ?? '', 'refund', 1_234)
  await eventually(
    () => ask<Invoice>(`/invoices/${atDashboard.id}`),
    ({ refundedCents }) => refundedCents > 0,
  )
  await workers.settled()
}

describe('the quarter of a school (§Invoices)', () => {
  test('agrees to the cent: invoices, their PDFs, credit notes, statements, reports and the processor', async () => {
    await endTheMonth()
    const invoices = await ask<Invoice[]>('/invoices?limit=500')
    expect(invoices.length).toBeGreaterThan(25)
    const there = await env.simulator.everything()
    const standing = invoices.filter(({ status }) => status !== 'void' && status !== 'failed')
    for (const invoice of invoices) {
      const { items, subtotalCents, taxCents, taxes, totalCents } = invoice
      expect(total(items, (item) => item.amountCents)).toBe(subtotalCents)
      expect([total(items, (item) => item.taxCents), total(taxes, (tax) => tax.taxCents)]).toEqual([taxCents, taxCents])
      expect(subtotalCents + taxCents).toBe(totalCents)
      const text = await paper(`/invoices/${invoice.id}?format=pdf`)
      for (const amount of [totalCents, invoice.amountDueCents, ...items.map((item) => item.amountCents)]) {
        expect(text).toContain(printed(amount))
      }
      for (const tax of taxes) expect(text).toContain(printed(tax.taxCents))
      const copy = there.invoices.find(({ id }) => id === invoice.processor?.invoiceId)
      if (invoice.status === 'open') expect(copy?.amount_remaining).toBe(invoice.amountDueCents)
    }

    const credits = (await Promise.all(standing.map(({ id }) => ask<Credit[]>(`/invoices/${id}/creditNotes`)))).flat()
    expect(total(credits, (credit) => credit.amountCents)).toBe(total(standing, (one) => one.creditedCents))
    for (const credit of credits)
      expect(await paper(`/creditNotes/${credit.id}?format=pdf`)).toContain(printed(credit.amountCents))

    const balances = await ask<Balance[]>('/reports/balances')
    for (const { orgUserId, dueCents, ledgerBalanceCents, balanceCents } of balances) {
      if (orgUserId === null) continue
      const mine = standing.filter(({ customer }) => customer?.orgUserId === orgUserId)
      const owed = (one: Invoice) => one.totalCents - one.creditedCents - one.amountPaidCents + one.refundedCents
      expect([total(mine, owed), dueCents - ledgerBalanceCents]).toEqual([dueCents, balanceCents])
      const path = `/orgUsers/${orgUserId}/statement?${quarter}`
      const statement = await ask<{
        openingBalanceCents: number
        closingBalanceCents: number
        rows: { amountCents: number }[]
      }>(path)
      expect(statement.closingBalanceCents).toBe(balanceCents)
      expect(statement.openingBalanceCents + total(statement.rows, (row) => row.amountCents)).toBe(balanceCents)
      expect(await paper(`${path}&format=pdf`)).toContain(printed(Math.abs(balanceCents)))
    }

    // What came in by card and what went back is what the processor has of it.
    const byCard = standing.flatMap((one) => one.payments).filter(({ method }) => method === 'card')
    expect(total(byCard, (one) => one.amountCents)).toBe(total(there.invoices, (one) => one.amount_paid))
    const refundedThere = total(there.refunds, ({ amount }) => amount)
    expect(refundedThere).toBe(7_777 + 1_234)

    const summary = await ask<{ revenueCents: number; outstandingCents: number }>('/invoices/summary')
    expect(summary.outstandingCents).toBe(total(standing, (one) => one.amountDueCents))
    expect(summary.revenueCents).toBe(total(standing, (one) => one.amountPaidCents - one.refundedCents))
    const revenue = await ask<{ revenueCents: number }[]>(`/reports/revenue?${quarter}`)
    expect(total(revenue, (row) => row.revenueCents)).toBe(summary.revenueCents)
    type Taken = { method: string; amountCents: number; reversedCents: number }
    const taken = await ask<Taken[]>(`/reports/payments?${quarter}`)
    const payments = taken.filter(({ method }) => method !== 'deposit')
    const received = standing.flatMap((one) => one.payments)
    expect(total(payments, (row) => row.amountCents)).toBe(total(received, (one) => one.amountCents))
    expect(total(payments, (row) => row.reversedCents)).toBe(5_000)
  })
})
