import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayRefused, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { SECRET_KEY, startSimulator, type TestSimulator } from '../support/stripe-simulator.ts'

let simulator: TestSimulator
let gateway: PaymentGateway
let clock: Date

beforeEach(async () => {
  clock = new Date('2031-03-01T12:00:00Z')
  simulator = await startSimulator({ now: () => clock })
  gateway = createStripeGateway({ secretKey: SECRET_KEY, webhookSecrets: [], apiBase: simulator.url, timeoutMs: 2_000 })
})

afterEach(() => simulator.close())

async function raise(): Promise<{ gatewayInvoiceId: string; payUrl: string }> {
  return await gateway.issueInvoice({
    account: null,
    key: 'inv_7_41',
    customer: { key: 'cus_7_m12', gatewayCustomerId: null, name: 'Ana Ruiz', email: null },
    createdAt: clock,
    currency: 'usd',
    items: [{ key: 'item_1', description: 'Discovery flight', amountCents: cents(15_000) }],
    memo: null,
    dueAt: null,
    reference: { organizationId: 7, invoiceId: 41 },
  })
}

describe('the events of an account', () => {
  test('are those that name an invoice or a payment, newest first, page by page', async () => {
    const { payUrl, gatewayInvoiceId } = await raise()
    await fetch(payUrl, { method: 'POST' })
    for (let times = 0; times < 103; times++) await simulator.move(gatewayInvoiceId, 'refund', 1)

    const pages = []
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page = await gateway.listEvents(null, { since: new Date(clock.getTime() - 3_600_000), after })
      pages.push(page.events)
      after = page.next
    }
    expect(pages.map(({ length }) => length)).toEqual([100, 5])
    const events = pages.flat()
    expect(new Set(events.map(({ id }) => id)).size).toBe(105)
    expect(events.slice(0, 103).every(({ type, names }) => type === 'refund.created' && names?.payment)).toBe(true)
    expect(events.slice(103)).toMatchObject([
      {
        type: 'invoice.paid',
        account: null,
        occurredAt: clock,
        names: { gatewayInvoiceId, reference: { organizationId: 7, invoiceId: 41 }, paid: true },
      },
      { type: 'invoice_payment.paid', names: { gatewayInvoiceId, paid: true } },
    ])
  })

  test('begin at the instant that is asked for', async () => {
    const { payUrl } = await raise()
    await fetch(payUrl, { method: 'POST' })
    const since = (ms: number) => gateway.listEvents(null, { since: new Date(clock.getTime() + ms), after: null })
    expect((await since(0)).events).toHaveLength(2)
    expect(await since(1_000)).toEqual({ events: [], next: null })
  })

  test('of an account that is not connected are refused, and of a processor that is down come later', async () => {
    const asked = { since: clock, after: null }
    await expect(gateway.listEvents('acct_gone', asked)).rejects.toThrow(GatewayRefused)
    await simulator.fault({ match: 'GET /v1/events', kind: '500' })
    await expect(gateway.listEvents(null, asked)).rejects.toThrow(GatewayUnavailable)
  })
})
