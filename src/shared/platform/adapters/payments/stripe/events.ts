import type Stripe from 'stripe'
import { BadSignature } from '../gateway-errors.ts'
import type { GatewayAccount, GatewayEvent, GatewayEvents, NamedByEvent } from '../payment-gateway.port.ts'
import { inAccount, isStorable, KEY } from './client.ts'
import { referenceOf } from './invoice-view.ts'

/** The types of events after which an invoice is read again, with the kind of their object. Other types are ignored. */
const OBJECTS: ReadonlyMap<string, 'invoice' | 'invoice_payment' | 'of_payment'> = new Map([
  ['invoice.paid', 'invoice'],
  ['invoice.voided', 'invoice'],
  ['invoice.marked_uncollectible', 'invoice'],
  ['invoice_payment.paid', 'invoice_payment'],
  ['refund.created', 'of_payment'],
  ['refund.updated', 'of_payment'],
  ['refund.failed', 'of_payment'],
  ['charge.dispute.created', 'of_payment'],
  ['charge.dispute.updated', 'of_payment'],
  ['charge.dispute.closed', 'of_payment'],
])

/**
 * Returns the event of a signed webhook. Stripe signs with one secret per endpoint, and the service's account and connected
 * accounts have different endpoints, so any configured secret is valid. Returns null for a signed body that is not a readable
 * event: an error would make Stripe resend it for days without effect.
 * @throws BadSignature when no secret matches, the signature is more than five minutes before or after now, or the event is
 * more than five minutes in the future
 */
export function verifyEvent(
  stripe: Stripe,
  secrets: readonly string[],
  { rawBody, signature, now }: { rawBody: Buffer; signature: string; now: Date },
): GatewayEvent | null {
  if (!secrets.some((secret) => isSigned(stripe, rawBody, signature, secret))) throw new BadSignature()
  const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1])
  if (!isPast(stripe, signedAt, now)) throw new BadSignature()
  const event = parse(rawBody)
  if (event && !isPast(stripe, event.created, now)) throw new BadSignature()
  return event && viewEvent(event)
}

/** Returns whether a time in seconds since 1970 is not in the future; the clock of the service may be five minutes slow. */
function isPast({ webhooks }: Stripe, seconds: number, now: Date): boolean {
  return seconds <= now.getTime() / 1000 + webhooks.DEFAULT_TOLERANCE
}

function isSigned(stripe: Stripe, rawBody: Buffer, signature: string, secret: string): boolean {
  const { webhooks } = stripe
  try {
    return webhooks.signature?.verifyHeader(rawBody, signature, secret, webhooks.DEFAULT_TOLERANCE) === true
  } catch {
    return false
  }
}

/**
 * Returns a page of an account's events after which an invoice is read again, newest first. It includes events that a webhook
 * delivered, because the endpoint that answered may have lost them.
 */
export async function listEvents(
  stripe: Stripe,
  account: GatewayAccount,
  { since, after }: { since: Date; after: string | null },
): Promise<GatewayEvents> {
  const { data, has_more } = await stripe.events.list(
    {
      types: [...OBJECTS.keys()],
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: 100,
      ...(after !== null && { starting_after: after }),
    },
    inAccount(account),
  )
  const events = data.filter(isReadable).map((event) => ({ ...viewEvent(event), account }))
  return { events, next: has_more ? (data.at(-1)?.id ?? null) : null }
}

/** Returns the event if it has the fields of every event; null otherwise. */
function parse(rawBody: Buffer): Stripe.Event | null {
  try {
    const event: Stripe.Event | null = JSON.parse(rawBody.toString())
    return event && isReadable(event) ? event : null
  } catch {
    return null
  }
}

function isReadable({ id, type, account, created }: Stripe.Event): boolean {
  return [id, type, account ?? 'ours'].every(isStorable) && isInstant(created)
}

/** Returns whether a value is seconds since 1970, up to the year 9999. */
function isInstant(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds < 253_402_300_800
}

function viewEvent(event: Stripe.Event): GatewayEvent {
  return {
    id: event.id,
    type: event.type,
    account: event.account ?? null,
    occurredAt: new Date(event.created * 1000),
    names: namedBy(event),
  }
}

/** The fields of an event's object that can have ids. Their values are not checked yet. */
interface Named {
  id?: unknown
  metadata?: Stripe.Metadata | null
  invoice?: unknown
  payment?: { payment_intent?: unknown } | null
  payment_intent?: unknown
}

/**
 * Returns the ids in an event. Null for other types of events, for an invoice that the service did not create, and for an
 * object without ids.
 */
function namedBy(event: Stripe.Event): NamedByEvent | null {
  const object = (event.data?.object ?? {}) as Named
  const { id, metadata, invoice, payment, payment_intent } = object
  switch (OBJECTS.get(event.type)) {
    case 'invoice': {
      const reference = isStorable(metadata?.[KEY]) ? referenceOf(metadata) : null
      if (!reference || !isStorable(id)) return null
      return { gatewayInvoiceId: id, payment: null, reference, paid: event.type === 'invoice.paid' }
    }
    case 'invoice_payment': {
      if (!isStorable(invoice)) return null
      const paidBy = isStorable(payment?.payment_intent) ? payment.payment_intent : null
      return { gatewayInvoiceId: invoice, payment: paidBy, reference: null, paid: true }
    }
    case 'of_payment':
      if (!isStorable(payment_intent)) return null
      return { gatewayInvoiceId: null, payment: payment_intent, reference: null, paid: false }
    default:
      return null
  }
}
