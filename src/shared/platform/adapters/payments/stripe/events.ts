import type Stripe from 'stripe'
import { BadSignature } from '../gateway-errors.ts'
import type { GatewayEvent, GatewayEventKind, GatewayInvoice } from '../payment-gateway.port.ts'
import { viewInvoice } from './invoice-view.ts'
import { isStorable } from './storable.ts'

const KINDS: Record<string, GatewayEventKind> = {
  'invoice.paid': 'invoice_paid',
  'invoice.payment_failed': 'invoice_payment_failed',
  'invoice.voided': 'invoice_voided',
  'invoice.marked_uncollectible': 'invoice_uncollectible',
}

/**
 * Reads a webhook. Stripe signs with one secret per endpoint, and the endpoints for our own account and for connected
 * accounts have different ones, so any of ours will do. Null for what is signed but is no event that can be read: Stripe
 * would send it again for days, and it would never be one.
 * @throws BadSignature when none fits, or the signature is older than five minutes.
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

/** The event, when it has the fields that every event has; null otherwise. */
function parse(rawBody: Buffer): Stripe.Event | null {
  try {
    const event: Stripe.Event | null = JSON.parse(rawBody.toString())
    const texts = [event?.id, event?.type, event?.account ?? 'ours']
    return event && texts.every(isStorable) && isInstant(event.created) ? event : null
  } catch {
    return null
  }
}

/** Seconds since 1970 up to the last day of the year 9999. */
function isInstant(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds < 253_402_300_800
}

function viewEvent(event: Stripe.Event): GatewayEvent {
  const invoice = invoiceOf(event)
  return {
    id: event.id,
    kind: (invoice && KINDS[event.type]) ?? 'other',
    type: event.type,
    account: event.account ?? null,
    occurredAt: new Date(event.created * 1000),
    invoice,
  }
}

/** An invoice that is not ours, or that we cannot read, is not acted on. */
function invoiceOf(event: Stripe.Event): GatewayInvoice | null {
  if (!Object.hasOwn(KINDS, event.type)) return null
  try {
    const invoice = viewInvoice(event.data.object as Stripe.Invoice)
    return invoice.reference && invoice
  } catch {
    return null
  }
}
