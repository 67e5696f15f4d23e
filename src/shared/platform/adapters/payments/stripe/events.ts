import type Stripe from 'stripe'
import { BadSignature } from '../gateway-errors.ts'
import type { GatewayEvent, GatewayEventKind, GatewayInvoice } from '../payment-gateway.port.ts'
import { isStorable } from './client.ts'
import { viewInvoice } from './invoice-view.ts'

const KINDS: Record<string, GatewayEventKind> = {
  'invoice.paid': 'invoice_paid',
  'invoice.payment_failed': 'invoice_payment_failed',
  'invoice.voided': 'invoice_voided',
  'invoice.marked_uncollectible': 'invoice_uncollectible',
}

/** The events that say that money of an invoice moved, and the field of their object that names what moved. */
const MOVES: Record<string, 'invoice' | 'payment_intent'> = {
  'invoice_payment.paid': 'invoice',
  'refund.created': 'payment_intent',
  'refund.updated': 'payment_intent',
  'refund.failed': 'payment_intent',
  'charge.dispute.created': 'payment_intent',
  'charge.dispute.updated': 'payment_intent',
  'charge.dispute.closed': 'payment_intent',
}

/**
 * Parses and verifies a webhook. Stripe signs with one secret per endpoint, and the service's account and connected
 * accounts have different endpoints, so any configured secret is valid. Returns null for a signed body that is not a
 * readable event: an error would make Stripe resend it for days without effect.
 * @throws BadSignature when no secret matches, or the signature is older than five minutes
 */
export function verifyEvent(
  stripe: Stripe,
  secrets: readonly string[],
  rawBody: Buffer,
  signature: string,
): GatewayEvent | null {
  if (!secrets.some((secret) => isSigned(stripe, rawBody, signature, secret))) throw new BadSignature()
  const event = parse(rawBody)
  return event && viewEvent(event)
}

function isSigned(stripe: Stripe, rawBody: Buffer, signature: string, secret: string): boolean {
  const { webhooks } = stripe
  try {
    return webhooks.signature?.verifyHeader(rawBody, signature, secret, webhooks.DEFAULT_TOLERANCE) === true
  } catch {
    return false
  }
}

/** Returns the event if it has the fields of every event; null otherwise. */
function parse(rawBody: Buffer): Stripe.Event | null {
  try {
    const event: Stripe.Event | null = JSON.parse(rawBody.toString())
    const texts = [event?.id, event?.type, event?.account ?? 'ours']
    return event && texts.every(isStorable) && isInstant(event.created) ? event : null
  } catch {
    return null
  }
}

/** Returns whether a value is seconds since 1970, up to the year 9999. */
function isInstant(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds < 253_402_300_800
}

function viewEvent(event: Stripe.Event): GatewayEvent {
  const invoice = invoiceOf(event)
  const money = moneyOf(event)
  return {
    id: event.id,
    kind: (invoice && KINDS[event.type]) ?? (money ? 'money_moved' : 'other'),
    type: event.type,
    account: event.account ?? null,
    occurredAt: new Date(event.created * 1000),
    invoice,
    money,
  }
}

/** Returns what an event says has moved; null for another event, and for one that names nothing. */
function moneyOf(event: Stripe.Event): GatewayEvent['money'] {
  const field = MOVES[event.type]
  if (field === undefined) return null
  const object = event.data?.object as { invoice?: unknown; payment_intent?: unknown } | undefined
  const named = object?.[field]
  if (!isStorable(named)) return null
  return field === 'invoice'
    ? { processorInvoiceId: named, payment: null }
    : { processorInvoiceId: null, payment: named }
}

/** Returns the event's invoice; null when the service did not create it, or it is unreadable. */
function invoiceOf(event: Stripe.Event): GatewayInvoice | null {
  if (!Object.hasOwn(KINDS, event.type)) return null
  try {
    const invoice = viewInvoice(event.data.object as Stripe.Invoice)
    return invoice.reference && invoice
  } catch {
    return null
  }
}
