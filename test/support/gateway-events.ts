import { createHmac, randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type Stripe from 'stripe'
import type { TestApp } from './app.ts'
import { stripeClient, type TestSimulator, WEBHOOK_SECRET } from './stripe-simulator.ts'

/** Returns the newest event of a type about one of the gateway's invoices, in the gateway's form. */
export async function eventOf(simulator: TestSimulator, gatewayInvoiceId: string, type: string): Promise<Stripe.Event> {
  for await (const event of stripeClient(simulator).events.list({ limit: 100 })) {
    if (event.type === type && (event.data.object as { id?: string }).id === gatewayInvoiceId) return event
  }
  throw new Error(`no ${type} about ${gatewayInvoiceId}`)
}

/** Returns the text of an event like this one with changed fields of the event and of its invoice. */
export function forged(event: Stripe.Event, changes: object, invoice: object = {}): string {
  const object = { ...event.data.object, ...invoice }
  return JSON.stringify({ ...event, id: `evt_${randomUUID()}`, ...changes, data: { object } })
}

interface Signature {
  /** The signed bytes; by default the sent ones. */
  over?: string
  /** The time of the signature in seconds since 1970; by default now. */
  at?: number
  secret?: string
}

/** Posts a body to the webhook with a signature. */
export function sendEvent(api: TestApp, body: string, signature: Signature = {}): Promise<LightMyRequestResponse> {
  const { over = body, at = Math.floor(Date.now() / 1000), secret = WEBHOOK_SECRET } = signature
  const digest = createHmac('sha256', secret).update(`${at}.${over}`).digest('hex')
  return api.app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${at},v1=${digest}` },
    payload: body,
  })
}
