import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayRefused, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { expectOneInvoice, gatewayFailure, issueAtLast, NOW, REQUEST, TOTAL_CENTS } from '../support/stripe-gateway.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'

const HOUR = 3_600_000
const TIMEOUT_MS = 250

let simulator: TestSimulator
let gateway: PaymentGateway
let clock: Date

function gatewayFor(apiBase: string, options: { secretKey?: string } = {}): PaymentGateway {
  return createStripeGateway({
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    apiBase,
    timeoutMs: TIMEOUT_MS,
    now: () => clock,
    ...options,
  })
}

beforeEach(async () => {
  clock = NOW
  simulator = await startSimulator({ now: () => clock })
  gateway = gatewayFor(simulator.url)
})

afterEach(() => simulator.close())

describe('raising an invoice', () => {
  test('makes the customer, the invoice and its lines, and answers where to pay', async () => {
    const raised = await gateway.issueInvoice(REQUEST)
    expect(raised).toMatchObject({
      status: 'open',
      currency: 'usd',
      totalCents: TOTAL_CENTS,
      amountPaidCents: 0,
      amountDueCents: TOTAL_CENTS,
      paidAt: null,
      reference: { organizationId: 7, invoiceId: 41 },
    })
    expect(raised.payUrl).toContain(simulator.url)
    expect((await fetch(raised.payUrl)).status).toBe(200)
    expect((await fetch(String(raised.pdfUrl))).status).toBe(200)

    await expectOneInvoice(simulator)
    const { customers, invoices, requests } = await simulator.everything()
    expect(customers[0]).toMatchObject({ name: 'Ana Ruiz', email: 'ana@skyway.example' })
    expect(invoices[0]).toMatchObject({
      description: 'Flight of 1 March',
      auto_advance: false,
      collection_method: 'send_invoice',
      due_date: Date.parse('2031-03-15T12:00:00Z') / 1000,
      metadata: { organizationId: '7', invoiceId: '41' },
    })
    expect(invoices[0]?.lines.data.map(({ description }) => description)).toEqual(
      REQUEST.items.map(({ description }) => description),
    )
    expect(requests.filter(({ method }) => method === 'POST').map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'cus_7_m12:customer',
      'inv_7_41:invoice',
      'inv_7_41:lines:item_1:3',
      'inv_7_41:finalize',
    ])
  })

  test('again answers the same invoice and makes nothing', async () => {
    const first = await gateway.issueInvoice(REQUEST)
    const second = await gateway.issueInvoice(REQUEST)
    expect(second).toEqual(first)
    await expectOneInvoice(simulator)
  })

  test('again after it was paid answers it paid', async () => {
    const { payUrl } = await gateway.issueInvoice(REQUEST)
    await fetch(payUrl, { method: 'POST' })
    expect(await gateway.issueInvoice(REQUEST)).toMatchObject({ status: 'paid', amountPaidCents: TOTAL_CENTS })
  })

  test('for the same payer uses the same customer, known to us or not', async () => {
    const first = await gateway.issueInvoice(REQUEST)
    const known = { ...REQUEST.customer, gatewayCustomerId: first.gatewayCustomerId }
    const second = await gateway.issueInvoice({ ...REQUEST, key: 'inv_7_42', customer: known })
    const third = await gateway.issueInvoice({ ...REQUEST, key: 'inv_7_43' })
    expect(new Set([first, second, third].map((raised) => raised.gatewayCustomerId)).size).toBe(1)
    expect(new Set([first, second, third].map((raised) => raised.gatewayInvoiceId)).size).toBe(3)
  })

  test('without a due date is due on no day at Stripe either, waits there to be paid and charges nobody', async () => {
    const raised = await gateway.issueInvoice({ ...REQUEST, dueAt: null })
    const { invoices } = await simulator.everything()
    expect(invoices[0]).toMatchObject({
      due_date: null,
      collection_method: 'charge_automatically',
      auto_advance: false,
      attempted: false,
      status: 'open',
    })
    expect((await fetch(raised.payUrl)).status).toBe(200)
  })

  test('that is overdue already gives Stripe the next hour, since it takes no past one', async () => {
    await gateway.issueInvoice({ ...REQUEST, dueAt: new Date(NOW.getTime() - 48 * HOUR) })
    const { invoices } = await simulator.everything()
    expect(invoices[0]?.due_date).toBe((NOW.getTime() + HOUR) / 1000)
  })

  test('of less than 50 cents is refused before anything is asked', async () => {
    const items = [{ key: 'item_1', description: 'Remainder', amountCents: cents(49) }]
    const error = await gatewayFailure(gateway.issueInvoice({ ...REQUEST, items }))
    expect(error).toMatchObject({ name: 'GatewayRefused', code: 'amount_too_small' })
    expect((await simulator.everything()).requests).toEqual([])
  })

  test('of less than its currency is charged in is refused too, where the processor would call it paid', async () => {
    const items = [{ key: 'item_1', description: 'Headset', amountCents: cents(299) }]
    const error = await gatewayFailure(gateway.issueInvoice({ ...REQUEST, currency: 'sek', items }))
    expect(error).toMatchObject({ code: 'amount_too_small', message: expect.stringContaining('3.00') })
    const least = [{ ...items[0]!, amountCents: cents(300) }]
    const raised = await gateway.issueInvoice({ ...REQUEST, currency: 'sek', items: least })
    expect(raised).toMatchObject({ status: 'open', amountDueCents: 300 })
  })

  test('with a longer memo than the processor takes has the beginning of it', async () => {
    await gateway.issueInvoice({ ...REQUEST, memo: 'm'.repeat(2_000) })
    const { invoices } = await simulator.everything()
    expect(invoices[0]?.description).toBe(`${'m'.repeat(499)}…`)
  })

  test('under a key that stands with another total is refused', async () => {
    await gateway.issueInvoice(REQUEST)
    const items = [{ key: 'item_1', description: 'N172SP', amountCents: cents(9_000) }]
    const error = await gatewayFailure(gateway.issueInvoice({ ...REQUEST, items }))
    expect(error).toMatchObject({ name: 'GatewayRefused', code: 'total_mismatch' })
    await expectOneInvoice(simulator)
  })

  test('from several processes at once makes one', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => gateway.issueInvoice(REQUEST)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(GatewayUnavailable)
    }
    await issueAtLast(gateway, REQUEST)
    await expectOneInvoice(simulator)
  })
})

describe('what the processor answers', () => {
  test('402 is refused, in words for the payer', async () => {
    await simulator.fault({ match: 'POST /v1/invoices/:id/finalize', kind: '402' })
    const error = await gatewayFailure(gateway.issueInvoice(REQUEST))
    expect(error).toMatchObject({ name: 'GatewayRefused', code: 'card_declined', message: 'Your card was declined.' })
    expect(error.requestId).toMatch(/^req_/)
  })

  test('402 for one payer leaves the others alone', async () => {
    await simulator.fault({ match: '*', kind: '402', times: 9, customerEmail: 'ben@skyway.example' })
    const ben = { ...REQUEST.customer, key: 'cus_7_m13', email: 'ben@skyway.example' }
    expect(await gatewayFailure(gateway.issueInvoice({ ...REQUEST, key: 'inv_7_42', customer: ben }))).toBeInstanceOf(
      GatewayRefused,
    )
    await expect(gateway.issueInvoice(REQUEST)).resolves.toMatchObject({ status: 'open' })
  })

  test('429 is a reason to wait for as long as it says', async () => {
    await simulator.fault({ match: 'POST /v1/invoices', kind: '429', retryAfterSeconds: 7 })
    const error = await gatewayFailure(gateway.issueInvoice(REQUEST))
    expect(error).toMatchObject({ name: 'GatewayUnavailable', retryAfterSeconds: 7 })
  })

  test('nothing for too long ends in the stated time', async () => {
    await simulator.fault({ match: 'POST /v1/invoices', kind: 'hang', seconds: 20 })
    const before = performance.now()
    expect(await gatewayFailure(gateway.issueInvoice(REQUEST))).toBeInstanceOf(GatewayUnavailable)
    expect(performance.now() - before).toBeLessThan(10 * TIMEOUT_MS)
  })

  test('an address that it does not take is refused, without its own words', async () => {
    const customer = { ...REQUEST.customer, email: 'nonsense' }
    const error = await gatewayFailure(gateway.issueInvoice({ ...REQUEST, customer }))
    expect(error).toMatchObject({ name: 'GatewayRefused', code: 'email_invalid' })
    expect(error.message).toBe("The payment processor refuses the payer's email address.")
  })

  test('401 is a reason to wait, since the key is ours to put right', async () => {
    const error = await gatewayFailure(gatewayFor(simulator.url, { secretKey: 'sk_test_old' }).issueInvoice(REQUEST))
    expect(error).toBeInstanceOf(GatewayUnavailable)
    expect(error.message).not.toContain('sk_test')
  })

  test('nothing at all is a reason to wait, until it is back', async () => {
    const { port } = simulator
    await simulator.close()
    expect(await gatewayFailure(gateway.issueInvoice(REQUEST))).toBeInstanceOf(GatewayUnavailable)
    simulator = await startSimulator({ now: () => clock, port } as object)
    await expect(gateway.issueInvoice(REQUEST)).resolves.toMatchObject({ status: 'open' })
  })
})

describe('a connected account', () => {
  test('has the customer and the invoice in its own books', async () => {
    const request = {
      key: 'acct_7',
      account: null,
      email: 'desk@skyway.example',
      returnUrl: 'https://flightline.example/done',
      refreshUrl: 'https://flightline.example/again',
    }
    const { account, onboardingUrl } = await gateway.connectAccount(request)
    expect((await gateway.connectAccount(request)).account).toBe(account)
    expect(await gateway.accountReady(account)).toBe(false)
    await fetch(onboardingUrl, { method: 'POST', redirect: 'manual' })
    expect(await gateway.accountReady(account)).toBe(true)

    const raised = await gateway.issueInvoice({ ...REQUEST, account })
    await expectOneInvoice(simulator, account)
    const { gatewayInvoiceId } = raised
    expect(await gateway.retrieveInvoice({ account, gatewayInvoiceId })).toMatchObject({ status: 'open' })
    expect(await gatewayFailure(gateway.retrieveInvoice({ account: null, gatewayInvoiceId }))).toMatchObject({
      name: 'GatewayRefused',
      code: 'resource_missing',
    })
  })

  test('that is not connected is refused', async () => {
    const error = await gatewayFailure(gateway.issueInvoice({ ...REQUEST, account: 'acct_stranger' }))
    expect(error).toMatchObject({ name: 'GatewayRefused', code: 'account_invalid' })
    expect(error.message).not.toContain('acct_stranger')
  })
})
