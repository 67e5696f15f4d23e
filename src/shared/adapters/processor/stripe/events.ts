import type Stripe from 'stripe'
import type { ProcessorEvent, ProcessorEventKind, ProcessorInvoice } from '../processor.port.ts'
import { BadSignature } from '../processor-errors.ts'
import { viewInvoice } from './invoice-view.ts'

const KINDS: Record<string, ProcessorEventKind> = {
  'invoice.paid': 'invoice_paid',
  'invoice.payment_failed': 'invoice_payment_failed',
  'invoice.voided': 'invoice_voided',
  'invoice.marked_uncollectible': 'invoice_uncollectible',
}

/**
 * Reads a webhook. Stripe signs with one secret per endpoint, and the endpoints for our own account and for connected
 * accounts have different ones, so any of ours will do.
 * @throws BadSignature when none fits, or the signature is older than five minutes.
 */
export function verifyEvent(
  stripe: Stripe,
  secrets: readonly string[],
  rawBody: Buffer,
  signature: string,
): ProcessorEvent {
  for (const secret of secrets) {
    const event = signedEvent(stripe, rawBody, signature, secret)
    if (event) return viewEvent(event)
  }
  throw new BadSignature()
}

function signedEvent(stripe: Stripe, rawBody: Buffer, signature: string, secret: string): Stripe.Event | null {
  try {
    const event: Stripe.Event | null = stripe.webhooks.constructEvent(rawBody, signature, secret)
    return typeof event?.id === 'string' ? event : null
  } catch {
    return null
  }
}

function viewEvent(event: Stripe.Event): ProcessorEvent {
  const invoice = invoiceOf(event)
  const type = String(event.type)
  return {
    id: event.id,
    kind: (invoice && KINDS[type]) ?? 'other',
    type,
    account: event.account ?? null,
    occurredAt: new Date(event.created * 1000),
    invoice,
  }
}

/** An invoice that is not ours, or that we cannot read, is not acted on. */
function invoiceOf(event: Stripe.Event): ProcessorInvoice | null {
  if (!Object.hasOwn(KINDS, event.type)) return null
  try {
    const invoice = viewInvoice(event.data.object as Stripe.Invoice)
    return invoice.reference && invoice
  } catch {
    return null
  }
}
