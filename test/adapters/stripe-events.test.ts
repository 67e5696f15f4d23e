import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BadSignature, GatewayUnavailable } from '../../src/shared/platform/adapters/payments/gateway-errors.ts'
import type { IssueInvoice, PaymentGateway } from '../../src/shared/platform/adapters/payments/payment-gateway.port.ts'
import { createStripeGateway } from '../../src/shared/platform/adapters/payments/stripe.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import {
  SECRET_KEY,
  startReceiver,
  startSimulator,
  type TestSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe-simulator.ts'

const REQUEST: IssueInvoice = {
  account: null,
  key: 'inv_7_41',
  customer: { key: 'cus_7_m12', gatewayCustomerId: null, name: 'Ana Ruiz', email: null },
  createdAt: new Date(),
  currency: 'usd',
  items: [{ key: 'item_1', description: 'Discovery flight', amountCents: cents(15_000) }],
  memo: null,
  dueAt: null,
  reference: { organizationId: 7, invoiceId: 41 },
}

let simulator: TestSimulator
let gateway: PaymentGateway

function gatewayFor(apiBase: string, webhookSecrets = ['whsec_connected', WEBHOOK_SECRET]): PaymentGateway {
  return createStripeGateway({ secretKey: SECRET_KEY, webhookSecrets, apiBase, timeoutMs: 2_000 })
}

beforeEach(async () => {
  simulator = await startSimulator()
  gateway = gatewayFor(simulator.url)
})

afterEach(() => simulator.close())

async function raise(): Promise<{ account: null; gatewayInvoiceId: string; payUrl: string }> {
  const { gatewayInvoiceId, payUrl } = await gateway.issueInvoice(REQUEST)
  return { account: null, gatewayInvoiceId, payUrl }
}

describe('an event', () => {
  const signed = (event: object, secret = WEBHOOK_SECRET, at = Date.now()) => {
    const body = Buffer.from(JSON.stringify(event))
    const timestamp = Math.floor(at / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body.toString(), secret, timestamp })
    return { body, signature }
  }

  test('of a payment on the page leads back to our invoice', async () => {
    const receiver = await startReceiver()
    await simulator.setWebhookUrl(receiver.url)
    const { payUrl, gatewayInvoiceId } = await raise()
    await fetch(payUrl, { method: 'POST' })
    await expect.poll(() => receiver.types()).toContain('invoice.paid')
    await receiver.close()

    const sent = receiver.received[receiver.types().indexOf('invoice.paid')]!
    const event = gateway.verifyEvent(sent.body, sent.signature)
    expect(event).toMatchObject({
      type: 'invoice.paid',
      account: null,
      names: { gatewayInvoiceId, payment: null, reference: { organizationId: 7, invoiceId: 41 }, paid: true },
    })
    expect(event?.id).toMatch(/^evt_/)
    const spaced = Buffer.from(JSON.stringify(JSON.parse(sent.body.toString())))
    expect(() => gateway.verifyEvent(spaced, sent.signature)).toThrow(BadSignature)
  })

  test.each([
    ['no signature', WEBHOOK_SECRET, 0, ''],
    ['a signature that is none', WEBHOOK_SECRET, 0, 'nonsense'],
    ['another secret', 'whsec_other', 0, null],
    ['a signature older than five minutes', WEBHOOK_SECRET, -301_000, null],
    ['a signature of the future', WEBHOOK_SECRET, 302_000, null],
  ])('with %s is refused', (_name, secret, offset, replaced) => {
    const { body, signature } = signed({ id: 'evt_1', type: 'invoice.paid' }, secret, Date.now() + offset)
    expect(() => gateway.verifyEvent(body, replaced ?? signature)).toThrow(BadSignature)
  })

  test('of the future is refused, though signed now; that of a clock that is a little fast is taken', () => {
    const created = Math.floor(Date.now() / 1000)
    const late = signed({ id: 'evt_1', type: 'ping', created: created + 302 })
    expect(() => gateway.verifyEvent(late.body, late.signature)).toThrow(BadSignature)
    const fast = signed({ id: 'evt_2', type: 'ping', created: created + 200 }, WEBHOOK_SECRET, Date.now() + 200_000)
    expect(gateway.verifyEvent(fast.body, fast.signature)).toMatchObject({ id: 'evt_2' })
  })

  test('signed for any of our endpoints is taken', () => {
    const { body, signature } = signed({ id: 'evt_1', type: 'ping', created: 1 }, 'whsec_connected')
    expect(gateway.verifyEvent(body, signature)).toMatchObject({ id: 'evt_1', names: null })
  })

  test('without any secret of ours is refused', () => {
    const { body, signature } = signed({ id: 'evt_1', type: 'ping', created: 1 }, '')
    expect(() => gatewayFor(simulator.url, []).verifyEvent(body, signature)).toThrow(BadSignature)
    expect(() => gatewayFor(simulator.url, ['']).verifyEvent(body, signature)).toThrow(BadSignature)
  })

  test.each([
    [
      'another one’s invoice',
      { id: 'in_1', status: 'paid', currency: 'usd', total: 1, amount_paid: 1, amount_remaining: 0 },
    ],
    ['an invoice without our number', { id: 'in_1', metadata: { flightlineKey: 'inv_7_41' } }],
    ['no object', null],
  ])('about %s is of no invoice of ours', (_name, object) => {
    const { body, signature } = signed({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object } })
    expect(gateway.verifyEvent(body, signature)).toMatchObject({ names: null })
  })

  test.each(['null', '[]', '"invoice.paid"', 'no JSON'])('that is %s, though signed, cannot be read', (text) => {
    const body = Buffer.from(text)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: text, secret: WEBHOOK_SECRET })
    expect(gateway.verifyEvent(body, signature)).toBeNull()
  })

  test.each([
    ['no time', { created: undefined }],
    ['a time in words', { created: 'yesterday' }],
    ['a time past all calendars', { created: 1e15 }],
    ['no id', { id: undefined }],
    ['an id that is a number', { id: 5 }],
    ['an id without end', { id: 'e'.repeat(5_000) }],
    ['a null character in its id', { id: 'evt_\u0000' }],
    ['no type', { type: null }],
    ['an account that is a list', { account: ['acct_1'] }],
  ])('with %s cannot be read', (_name, fields) => {
    const { body, signature } = signed({ id: 'evt_1', type: 'ping', created: 1, ...fields })
    expect(gateway.verifyEvent(body, signature)).toBeNull()
  })

  const OURS = {
    id: 'in_1',
    status: 'paid',
    currency: 'usd',
    total: 5_000,
    amount_paid: 5_000,
    amount_remaining: 0,
    metadata: { flightlineKey: 'inv_7_41', organizationId: '7', invoiceId: '41' },
  }

  test.each([
    ['key that is no text', { metadata: { ...OURS.metadata, flightlineKey: ['inv_7_41'] } }],
    ['number no invoice has', { metadata: { ...OURS.metadata, invoiceId: '99999999999' } }],
    ['null character in its id', { id: 'in_\u0000' }],
    ['id that is a number', { id: 5 }],
    ['number that is no text', { metadata: 'inv_7_41' }],
  ])('of an invoice with an %s is not acted on', (_name, fields) => {
    const object = { ...OURS, ...fields }
    const { body, signature } = signed({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object } })
    expect(gateway.verifyEvent(body, signature)).toMatchObject({ names: null })
  })

  const reference = { organizationId: 7, invoiceId: 41 }
  const ofPayment = { gatewayInvoiceId: null, payment: 'pi_1', reference: null, paid: false }
  const intent = { payment: { type: 'payment_intent', payment_intent: 'pi_1' } }

  test.each([
    ['invoice.paid', OURS, { gatewayInvoiceId: 'in_1', payment: null, reference, paid: true }],
    [
      'invoice.paid',
      { ...OURS, total: 1e12, status: 5 },
      { gatewayInvoiceId: 'in_1', payment: null, reference, paid: true },
    ],
    ['invoice.voided', OURS, { gatewayInvoiceId: 'in_1', payment: null, reference, paid: false }],
    ['invoice.payment_failed', OURS, null],
    [
      'invoice_payment.paid',
      { id: 'inpay_1', invoice: 'in_1', ...intent },
      { gatewayInvoiceId: 'in_1', payment: 'pi_1', reference: null, paid: true },
    ],
    [
      'invoice_payment.paid',
      { id: 'inpay_1', invoice: 'in_1', payment: null },
      { gatewayInvoiceId: 'in_1', payment: null, reference: null, paid: true },
    ],
    ['refund.updated', { id: 're_1', payment_intent: 'pi_1' }, ofPayment],
    ['charge.dispute.closed', { id: 'dp_1', payment_intent: 'pi_1' }, ofPayment],
    ['refund.created', { id: 're_1', payment_intent: ['pi_1'] }, null],
    ['toString', OURS, null],
  ])('%s names what is to be read, and says no amount', (type, object, names) => {
    const { body, signature } = signed({ id: 'evt_1', type, created: 1, data: { object } })
    const event = gateway.verifyEvent(body, signature)
    expect(event?.names).toEqual(names)
    expect(Object.keys(event ?? {}).sort()).toEqual(['account', 'id', 'names', 'occurredAt', 'type'])
  })
})

describe('an answer that cannot be read', () => {
  let server: Server

  async function answering(listener: RequestListener): Promise<PaymentGateway> {
    server = createServer(listener)
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return gatewayFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each([
    ['a web page', 200, '<html>Maintenance</html>'],
    ['a web page with an error', 502, '<html>Bad gateway</html>'],
    ['nothing', 200, ''],
    ['null', 200, 'null'],
    ['an empty object', 200, '{}'],
    ['an error of its own kind', 500, '{"error":"broken"}'],
    ['an invoice with amounts as texts', 200, '{"id":"in_1","status":"open","total":"1","amount_paid":"0"}'],
    ['an invoice in a state that there is not', 200, '{"id":"in_1","status":"lost","currency":"usd","total":1}'],
  ])('%s is a reason to try again', async (_name, status, body) => {
    const strange = await answering((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const call = strange.retrieveInvoice({ account: null, gatewayInvoiceId: 'in_1' })
    await expect(call).rejects.toThrow(GatewayUnavailable)
    await expect(strange.issueInvoice(REQUEST)).rejects.toThrow(GatewayUnavailable)
  })

  test('that comes drop by drop ends in the stated time', async () => {
    const strange = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drops = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drops))
    })
    const call = strange.retrieveInvoice({ account: null, gatewayInvoiceId: 'in_1' })
    await expect(call).rejects.toThrow(GatewayUnavailable)
  })
})

describe('the address of the processor', () => {
  test.each(['ftp://stripe.example', 'http://stripe.example/v1', 'not an address'])('cannot be %s', (apiBase) => {
    expect(() => gatewayFor(apiBase)).toThrow()
  })
})
