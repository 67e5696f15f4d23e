import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SimulatorOptions } from '../../local/payments/simulator.ts'
import {
  type Received,
  startReceiver,
  startSimulator,
  stripeClient,
  type TestSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe-simulator.ts'

let simulator: TestSimulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
let directory: string
let stripe: Stripe

async function restart(options: Partial<SimulatorOptions> = {}): Promise<void> {
  await simulator?.close()
  simulator = await startSimulator({ webhookUrl: receiver.url, stateFile: join(directory, 'stripe.json'), ...options })
  stripe = stripeClient(simulator)
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flightline-'))
  receiver = await startReceiver()
  await restart()
})

afterEach(async () => {
  await simulator.close()
  await receiver.close()
  await rm(directory, { recursive: true })
})

async function openInvoice(
  options: Stripe.RequestOptions = {},
): Promise<Stripe.Invoice & { hosted_invoice_url: string }> {
  const customer = await stripe.customers.create({ name: 'Ana <b>Ruiz</b>', email: 'ana@skyway.example' }, options)
  const { id } = await stripe.invoices.create(
    { customer: customer.id, collection_method: 'send_invoice', days_until_due: 14 },
    options,
  )
  await stripe.invoiceItems.create(
    { customer: customer.id, invoice: id, currency: 'usd', amount: 18_250, description: 'N172SP, 1.3 h <script>' },
    options,
  )
  const invoice = await stripe.invoices.finalizeInvoice(id, {}, options)
  if (!invoice.hosted_invoice_url) throw new Error('An open invoice has no page.')
  return { ...invoice, hosted_invoice_url: invoice.hosted_invoice_url }
}

const statusOf = async (id: string) => (await stripe.invoices.retrieve(id)).status

function eventIn({ body, signature }: Received, secret = WEBHOOK_SECRET): Stripe.Event {
  return stripe.webhooks.constructEvent(body, signature, secret)
}

describe('the page of an invoice', () => {
  test('shows the payer, the lines and the total, and escapes what was typed', async () => {
    const { hosted_invoice_url: url } = await openInvoice()
    const response = await fetch(url)
    const page = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page).toContain('Ana &lt;b&gt;Ruiz&lt;/b&gt;')
    expect(page).toContain('N172SP, 1.3 h &lt;script&gt;')
    expect(page).toContain('Pay $182.50')
    expect(page).not.toContain('<script>')
  })

  test('pays with a POST, once, and goes back to itself', async () => {
    const { id, hosted_invoice_url: url } = await openInvoice()
    const paid = await fetch(url, { method: 'POST', redirect: 'manual' })
    expect([paid.status, paid.headers.get('location')]).toEqual([303, new URL(url).pathname])
    expect(await statusOf(id)).toBe('paid')
    const again = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
    expect([again.status, await again.json()]).toEqual([200, { id, status: 'paid', amount_paid: 18_250 }])
    expect(await (await fetch(url)).text()).not.toContain('<form')
    await expect.poll(() => receiver.types()).toContain('invoice.payment_succeeded')
    expect(receiver.types().filter((type) => type === 'invoice.paid')).toHaveLength(1)
  })

  test('says so when the card is declined, and nothing is paid', async () => {
    const { id, hosted_invoice_url: url } = await openInvoice()
    const body = new URLSearchParams({ card: 'declined' })
    const json = await fetch(url, { method: 'POST', body, headers: { accept: 'application/json' } })
    expect([json.status, await json.json()]).toMatchObject([402, { error: { code: 'card_declined' } }])
    expect(await (await fetch(url, { method: 'POST', body })).text()).toContain('The card was declined.')
    expect(await statusOf(id)).toBe('open')
    await expect.poll(() => receiver.types()).toContain('invoice.payment_failed')
  })

  test('takes no money for a void invoice', async () => {
    const { id, hosted_invoice_url: url } = await openInvoice()
    await stripe.invoices.voidInvoice(id)
    const refused = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
    expect(refused.status).toBe(409)
    expect(await statusOf(id)).toBe('void')
  })

  test('comes as a PDF too', async () => {
    const { invoice_pdf } = await openInvoice()
    const response = await fetch(String(invoice_pdf))
    const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1')
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(pdf).toMatch(/^%PDF-1\.4\n/)
    expect(pdf).toContain('Total: $182.50')
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1])
    expect(pdf.slice(table, table + 4)).toBe('xref')
  })

  test('is found by its secret address only', async () => {
    const { id } = await openInvoice()
    for (const path of [`/i/acct_simulator/${id}`, '/i/acct_gone/x', '/i/acct_simulator/undefined', '/i/__proto__/x']) {
      expect((await fetch(simulator.url + path)).status).toBe(404)
    }
  })
})

describe('a webhook', () => {
  test('is signed as Stripe signs, over the bytes that are sent', async () => {
    const { id } = await openInvoice()
    await expect.poll(() => receiver.types()).toContain('invoice.finalized')
    const sent = receiver.received[receiver.types().indexOf('invoice.finalized')]!
    const event = eventIn(sent)
    expect(event).toMatchObject({ object: 'event', api_version: Stripe.API_VERSION, livemode: false })
    expect(event.data.object).toMatchObject({ id, object: 'invoice', status: 'open', total: 18_250 })
    expect(() => eventIn(sent, 'whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError)
    expect(() => eventIn({ ...sent, body: Buffer.from(`${sent.body} `) })).toThrow()
  })

  test('is sent for every step of an invoice', async () => {
    const first = await openInvoice()
    await stripe.invoices.markUncollectible(first.id)
    const second = await openInvoice()
    await stripe.invoices.voidInvoice(second.id)
    await fetch(first.hosted_invoice_url, { method: 'POST' })
    await vi.waitFor(() =>
      expect(new Set(receiver.types())).toEqual(
        new Set([
          'customer.created',
          'invoice.created',
          'invoiceitem.created',
          'invoice.finalized',
          'invoice.marked_uncollectible',
          'invoice.voided',
          'invoice.paid',
          'invoice.payment_succeeded',
          'invoice_payment.paid',
          'payment_intent.succeeded',
          'payment_intent.canceled',
        ]),
      ),
    )
  })

  test('is sent again until it is taken', async () => {
    await receiver.close()
    receiver = await startReceiver(500, 404)
    await simulator.setWebhookUrl(receiver.url)
    await stripe.customers.create({})
    await expect.poll(() => receiver.received).toHaveLength(3)
    await vi.waitFor(async () => {
      const { deliveries, events } = await simulator.everything()
      expect(deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
        [1, 500],
        [2, 404],
        [3, 200],
      ])
      expect(events).toMatchObject([{ type: 'customer.created', pending_webhooks: 0 }])
    })
  })

  test('can be held, sent newest first, and sent twice', async () => {
    await simulator.hold()
    const { id } = await stripe.customers.create({})
    await stripe.customers.update(id, { name: 'Ana' })
    await simulator.release('newest_first')
    expect(receiver.types()).toEqual(['customer.updated', 'customer.created'])
    await simulator.resend(eventIn(receiver.received[0]!).id)
    await expect.poll(() => receiver.received).toHaveLength(3)
    expect(eventIn(receiver.received[2]!).id).toBe(eventIn(receiver.received[0]!).id)
  })

  test('names the connected account that it is about', async () => {
    const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard' })
    const { hosted_invoice_url } = await openInvoice({ stripeAccount })
    await fetch(hosted_invoice_url, { method: 'POST' })
    await expect.poll(() => receiver.types()).toContain('invoice.paid')
    const paid = eventIn(receiver.received[receiver.types().indexOf('invoice.paid')]!)
    expect(paid.account).toBe(stripeAccount)
  })
})

describe('after a restart', () => {
  test('invoices, their pages and the idempotency keys are still there', async () => {
    const { id, hosted_invoice_url } = await openInvoice()
    const key = { idempotencyKey: 'again' }
    const customer = await stripe.customers.create({ name: 'Ben' }, key)
    await restart()
    expect(await statusOf(id)).toBe('open')
    const { pathname } = new URL(hosted_invoice_url)
    await fetch(simulator.url + pathname, { method: 'POST' })
    expect(await statusOf(id)).toBe('paid')
    expect((await stripe.customers.create({ name: 'Ben' }, key)).id).toBe(customer.id)
  })

  test('events that were not taken are sent', async () => {
    await simulator.hold()
    await stripe.customers.create({})
    await restart()
    await expect.poll(() => receiver.types()).toEqual(['customer.created'])
  })

  test('a file that is damaged is named, not overwritten', async () => {
    const file = join(directory, 'damaged.json')
    await writeFile(file, '{"books":')
    await expect(startSimulator({ stateFile: file })).rejects.toThrow(`${file} is damaged`)
  })
})
