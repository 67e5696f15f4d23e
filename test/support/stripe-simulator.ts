import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import type { Fault } from '../../local/payments/faults.ts'
import type { LoggedRequest, SimulatorOptions } from '../../local/payments/simulator.ts'
import type { CardKind } from '../../local/payments/store.ts'
import { startStripeSimulator } from '../../local/payments/stripe-simulator.ts'
import type { Delivery } from '../../local/payments/webhooks.ts'
import { until } from './eventually.ts'

export const SECRET_KEY = 'sk_test_simulated'
export const WEBHOOK_SECRET = 'whsec_simulated'

interface Everything {
  customers: (Stripe.Customer & { account: string | null })[]
  invoices: (Stripe.Invoice & { account: string | null })[]
  refunds: Stripe.Refund[]
  events: { id: string; type: string; pending_webhooks: number }[]
  deliveries: Delivery[]
  requests: LoggedRequest[]
}

/** Starts a payment simulator for one test, with functions for its controls. */
export async function startSimulator(options: Partial<SimulatorOptions> = {}) {
  const simulator = await startStripeSimulator({
    port: 0,
    host: '127.0.0.1',
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: null,
    webhookRetryDelaysMs: [30, 30, 30],
    ...options,
  })
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${simulator.url}/_simulator${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const faults = async () => (await (await control('GET', '/faults')).json()) as Fault[]
  return {
    ...simulator,
    fault: async (fault: Omit<Fault, 'times'> & { times?: number }) => {
      await control('POST', '/faults', fault)
    },
    /** Removes the faults; requests that hang go on. */
    clearFaults: async () => {
      await control('DELETE', '/faults')
    },
    /** Returns the faults that still affect requests. */
    faults,
    /** Resolves when each fault has met its requests. */
    met: () => until(async () => (await faults()).length === 0),
    everything: async () => (await (await control('GET', '/state')).json()) as Everything,
    /** Pays, refunds or disputes an amount of an invoice there, past the service. */
    move: async (
      invoice: string,
      what: 'pay' | 'refund' | 'dispute',
      amount: number,
      more: { evidenceDueBy?: number | null; method?: string } = {},
    ) => (await (await control('POST', `/invoices/${invoice}/${what}`, { amount, ...more })).json()) as { id: string },
    closeDispute: (dispute: string, outcome: 'won' | 'lost') =>
      control('POST', `/disputes/${dispute}/close`, { outcome }),
    /** Saves a card on a set-up page of the simulator, as the payer does. */
    saveCard: (url: string, card: CardKind) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams({ card }),
      }),
    hold: () => control('POST', '/webhooks/hold'),
    release: (order: 'oldest_first' | 'newest_first') => control('POST', '/webhooks/release', { order }),
    resend: (event: string) => control('POST', `/events/${event}/resend`),
  }
}

export type TestSimulator = Awaited<ReturnType<typeof startSimulator>>

/** A received webhook: the exact bytes and their signature. */
export interface Received {
  body: Buffer
  signature: string
}

/** Starts a receiver of webhooks. It answers with each of `statuses` in turn, then with 200. */
export async function startReceiver(...statuses: number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ body: Buffer.concat(chunks), signature: String(request.headers['stripe-signature']) })
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    received,
    types: () => received.map(({ body }) => (JSON.parse(body.toString()) as Stripe.Event).type),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Returns the real SDK, connected to a simulator. */
export function stripeClient({ port }: { port: number }, key = SECRET_KEY): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** Returns the error with which a call of the SDK fails. */
export async function stripeFailure(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error(`Expected Stripe's error, got ${error}`)
}

/** Creates a draft for a new customer, with a line per amount in cents. */
export async function draftInvoice(stripe: Stripe, amounts: number[] = [12_000, 345]): Promise<Stripe.Invoice> {
  const customer = await stripe.customers.create({ name: 'Ana Ruiz', email: 'ana@skyway.example' })
  const invoice = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 14,
    metadata: { organizationId: '7' },
  })
  for (const amount of amounts) {
    await stripe.invoiceItems.create({
      customer: customer.id,
      invoice: invoice.id,
      currency: 'usd',
      amount,
      description: `Line of ${amount}`,
    })
  }
  return invoice
}

/** Creates such an invoice and finalizes it. */
export async function openInvoice(stripe: Stripe, amounts?: number[]): Promise<Stripe.Invoice> {
  const { id } = await draftInvoice(stripe, amounts)
  return stripe.invoices.finalizeInvoice(id)
}
