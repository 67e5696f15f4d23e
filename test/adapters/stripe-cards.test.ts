import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CardKind } from '../../local/payments/store.ts'
import { GatewayRefused, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { REQUEST, TOTAL_CENTS } from '../support/stripe-gateway.ts'
import {
  SECRET_KEY,
  startSimulator,
  stripeClient,
  stripeFailure,
  type TestSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe-simulator.ts'

let simulator: TestSimulator
let gateway: PaymentGateway

const { account, customer, currency } = REQUEST
const OWNER = { account, customer }
const SETUP = { ...OWNER, currency, returnUrl: 'https://school.example/me' }

beforeEach(async () => {
  simulator = await startSimulator()
  gateway = createStripeGateway({
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    apiBase: simulator.url,
    timeoutMs: 1_000,
  })
})

afterEach(() => simulator.close())

async function save(card: CardKind, askedBy: 'payer' | 'other' = 'payer'): Promise<void> {
  const { url } = await gateway.startCardSetup({ ...SETUP, askedBy })
  expect((await simulator.saveCard(url, card)).status).toBe(200)
}

async function openInvoice() {
  const { gatewayInvoiceId } = await gateway.issueInvoice({ ...REQUEST, createdAt: new Date(), dueAt: null })
  const [card] = await gateway.listCards(OWNER)
  return { account, gatewayInvoiceId, cardId: card!.id, key: 'inv_7_41:autopay:1', amountCents: cents(TOTAL_CENTS) }
}

const paymentsMade = async () =>
  (await simulator.everything()).events.filter(({ type }) => type === 'payment_intent.succeeded').length

describe('a card on file at the processor', () => {
  test('is saved on the hosted page, once for each page, and listed without its number', async () => {
    const { url, gatewayCustomerId } = await gateway.startCardSetup({ ...SETUP, askedBy: 'payer' })
    expect(await gateway.listCards(OWNER)).toEqual([])
    expect((await simulator.saveCard(url, 'ok')).status).toBe(200)
    expect((await simulator.saveCard(url, 'ok')).status).toBe(409)
    const expYear = new Date().getUTCFullYear() + 2
    expect(await gateway.listCards({ account, customer: { ...customer, gatewayCustomerId } })).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        brand: 'visa',
        last4: '4242',
        expMonth: 12,
        expYear,
        isDefault: true,
        savedByPayer: true,
        savedAt: expect.any(Date),
      },
    ])
    expect((await simulator.everything()).customers).toHaveLength(1)
  })

  test('is the payer’s own only when the payer asked for the page', async () => {
    await save('ok', 'other')
    expect((await gateway.listCards(OWNER)).map(({ savedByPayer }) => savedByPayer)).toEqual([false])
  })

  test('is the default when the customer chose it, and otherwise the newest', async () => {
    await save('ok')
    const [first] = await gateway.listCards(OWNER)
    await save('declined')
    const defaults = async () => (await gateway.listCards(OWNER)).find(({ isDefault }) => isDefault)!.last4
    expect(['4242', '0341']).toContain(await defaults())
    const stripe = stripeClient(simulator)
    const { id } = (await stripe.customers.list()).data[0]!
    await stripe.customers.update(id, { invoice_settings: { default_payment_method: first!.id } })
    expect(await defaults()).toBe('4242')
  })

  test('is taken away once; one of another payer is none', async () => {
    await save('ok')
    const [card] = await gateway.listCards(OWNER)
    const other = { account, customer: { ...customer, key: 'cus_7_m13', gatewayCustomerId: null } }
    expect(await gateway.detachCard(other, card!.id)).toBe(false)
    expect(await gateway.detachCard(OWNER, card!.id)).toBe(true)
    expect(await gateway.detachCard(OWNER, card!.id)).toBe(false)
    expect(await gateway.listCards(OWNER)).toEqual([])
  })

  test('is unavailable while the processor does not answer', async () => {
    await simulator.fault({ match: 'POST /v1/checkout/sessions', kind: 'hang', seconds: 5 })
    await expect(gateway.startCardSetup({ ...SETUP, askedBy: 'payer' })).rejects.toThrow(GatewayUnavailable)
  })
})

describe('charging a card on file', () => {
  test('pays the processor’s own invoice, once however often it is said', async () => {
    await save('ok')
    const charge = await openInvoice()
    expect(await gateway.chargeCard(charge)).toMatchObject({ outcome: 'paid', invoice: { amountPaidCents: 25_000 } })
    expect(await gateway.chargeCard(charge)).toMatchObject({ outcome: 'paid' })
    expect(await gateway.chargeCard({ ...charge, key: 'inv_7_41:autopay:2' })).toMatchObject({ outcome: 'paid' })
    expect(await paymentsMade()).toBe(1)
  })

  test.each(['cut_after_work', 'cut_before_work', '500', '500_after_work'] as const)(
    'pays it once after %s',
    async (kind) => {
      await save('ok')
      const charge = await openInvoice()
      await simulator.fault({ match: 'POST /v1/invoices/:id/pay', kind })
      await expect(gateway.chargeCard(charge)).rejects.toThrow(GatewayUnavailable)
      expect(await gateway.chargeCard(charge)).toMatchObject({ outcome: 'paid' })
      expect(await paymentsMade()).toBe(1)
    },
  )

  test.each([
    ['declined', { outcome: 'declined', code: 'generic_decline' }],
    ['expired', { outcome: 'declined', code: 'expired_card' }],
    ['authentication_required', { outcome: 'wants_payer' }],
  ] as const)('answers what a card that is %s says, once for each key', async (kind, outcome) => {
    await save(kind)
    const charge = await openInvoice()
    expect(await gateway.chargeCard(charge)).toEqual(outcome)
    expect(await gateway.chargeCard(charge)).toEqual(outcome)
    expect((await simulator.everything()).invoices[0]).toMatchObject({ status: 'open', attempt_count: 1 })
    expect(await gateway.chargeCard({ ...charge, key: 'inv_7_41:autopay:2' })).toEqual(outcome)
    expect((await simulator.everything()).invoices[0]).toMatchObject({ status: 'open', attempt_count: 2 })
  })

  test('charges nothing when the invoice is void, or another amount of it is left', async () => {
    await save('ok')
    const charge = await openInvoice()
    await simulator.move(charge.gatewayInvoiceId, 'pay', 5_000)
    expect(await gateway.chargeCard(charge)).toMatchObject({ outcome: 'changed', invoice: { amountDueCents: 20_000 } })
    const { gatewayInvoiceId } = await gateway.issueInvoice({ ...REQUEST, createdAt: new Date(), key: 'inv_7_42' })
    await gateway.voidInvoice({ account, gatewayInvoiceId })
    expect(await gateway.chargeCard({ ...charge, gatewayInvoiceId })).toMatchObject({ invoice: { status: 'void' } })
    expect(await paymentsMade()).toBe(1)
  })

  test('is refused with a card of another payer, or one that was taken away', async () => {
    await save('ok')
    const charge = await openInvoice()
    await gateway.detachCard(OWNER, charge.cardId)
    await expect(gateway.chargeCard(charge)).rejects.toThrow(GatewayRefused)
    await expect(gateway.chargeCard({ ...charge, cardId: 'pm_none', key: 'x' })).rejects.toThrow(GatewayRefused)
  })
})

describe('the simulator’s cards', () => {
  test('are refused what Stripe refuses', async () => {
    const stripe = stripeClient(simulator)
    const session = { mode: 'setup', customer: 'cus_none', currency: 'usd', success_url: 'https://x.example' } as const
    expect((await stripeFailure(stripe.checkout.sessions.create(session))).code).toBe('resource_missing')
    const { id: made } = await stripe.customers.create({ name: 'Ana' })
    const { currency: _, ...without } = { ...session, customer: made }
    expect((await stripeFailure(stripe.checkout.sessions.create(without))).param).toBe('currency')
    const settings = { invoice_settings: { default_payment_method: 'pm_none' } }
    expect((await stripeFailure(stripe.customers.update(made, settings))).code).toBe('resource_missing')
    expect((await stripeFailure(stripe.paymentMethods.detach('pm_none'))).code).toBe('resource_missing')
    expect((await simulator.saveCard(`${simulator.url}/c/acct_simulator/cs_none`, 'ok')).status).toBe(404)
  })
})
