import type Stripe from 'stripe'
import type { GatewayItem, RaiseInvoice } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { postOnce } from './post-once.ts'

type Draft = Pick<Stripe.Invoice, 'id' | 'customer'>

/**
 * Makes a draft's items equal to the given ones, in order. On a draft of an earlier call it keeps matching items,
 * deletes others, and adds missing ones.
 */
export async function ensureItems(
  stripe: Stripe,
  request: RaiseInvoice,
  draft: Draft,
  untouched: boolean,
): Promise<void> {
  const present = untouched ? [] : await keepFitting(stripe, request, draft)
  for (const item of request.items) {
    if (!present.includes(item)) await addItem(stripe, request, draft, item)
  }
}

async function keepFitting(stripe: Stripe, { account, items }: RaiseInvoice, draft: Draft): Promise<GatewayItem[]> {
  const kept: GatewayItem[] = []
  const list = stripe.invoiceItems.list({ invoice: draft.id, limit: 100 }, inAccount(account))
  for (const found of await list.autoPagingToArray({ limit: 1000 })) {
    const wanted = items.find((item) => fits(found, item) && !kept.includes(item))
    if (wanted) kept.push(wanted)
    else await stripe.invoiceItems.del(found.id, {}, inAccount(account))
  }
  return kept
}

function fits(found: Stripe.InvoiceItem, { key, amountCents, description }: GatewayItem): boolean {
  return found.metadata?.[KEY] === key && found.amount === amountCents && found.description === description
}

async function addItem(stripe: Stripe, request: RaiseInvoice, draft: Draft, item: GatewayItem): Promise<void> {
  const { account, currency, key } = request
  const customer = typeof draft.customer === 'string' ? draft.customer : draft.customer?.id
  await postOnce<Stripe.InvoiceItem>(
    `${key}:item:${item.key}`,
    (idempotencyKey) =>
      stripe.invoiceItems.create(
        {
          customer,
          invoice: draft.id,
          currency,
          amount: item.amountCents,
          description: item.description,
          metadata: { [KEY]: item.key },
        },
        { ...inAccount(account), idempotencyKey },
      ),
    async () => {
      const list = stripe.invoiceItems.list({ invoice: draft.id, limit: 100 }, inAccount(account))
      for await (const found of list) if (fits(found, item)) return found
      return null
    },
  )
}
