import type Stripe from 'stripe'
import type { GatewayItem, IssueInvoice } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { postOnce } from './post-once.ts'

type Draft = Pick<Stripe.Invoice, 'id'>

/** The most lines of one request. */
const AT_ONCE = 250

/**
 * Makes a draft's lines equal to the given items. On a draft of an earlier call it keeps matching lines, deletes the others,
 * and adds missing ones, up to 250 per request.
 */
export async function ensureItems(
  stripe: Stripe,
  request: IssueInvoice,
  draft: Draft,
  untouched: boolean,
): Promise<void> {
  const present = untouched ? [] : await keepFitting(stripe, request, draft)
  const missing = request.items.filter((item) => !present.includes(item))
  for (let first = 0; first < missing.length; first += AT_ONCE) {
    await addLines(stripe, request, draft, missing.slice(first, first + AT_ONCE))
  }
}

async function keepFitting(stripe: Stripe, request: IssueInvoice, draft: Draft): Promise<GatewayItem[]> {
  const kept: GatewayItem[] = []
  const others: string[] = []
  for (const line of await linesOf(stripe, request, draft)) {
    const wanted = request.items.find((item) => fits(line, item) && !kept.includes(item))
    if (wanted) kept.push(wanted)
    else others.push(line.id)
  }
  if (others.length > 0) {
    const lines = others.map((id) => ({ id, behavior: 'delete' as const }))
    await stripe.invoices.removeLines(draft.id, { lines }, inAccount(request.account))
  }
  return kept
}

function linesOf(stripe: Stripe, { account }: IssueInvoice, draft: Draft): Promise<Stripe.InvoiceLineItem[]> {
  return stripe.invoices.listLineItems(draft.id, { limit: 100 }, inAccount(account)).autoPagingToArray({ limit: 1000 })
}

function fits(line: Stripe.InvoiceLineItem, { key, amountCents, description }: GatewayItem): boolean {
  return line.metadata?.[KEY] === key && line.amount === amountCents && line.description === description
}

/** Adds lines in one request. Stripe adds all of them or none. */
async function addLines(
  stripe: Stripe,
  request: IssueInvoice,
  draft: Draft,
  items: readonly GatewayItem[],
): Promise<void> {
  const lines = items.map(({ key, amountCents, description }) => ({
    amount: amountCents,
    description,
    metadata: { [KEY]: key },
  }))
  await postOnce<unknown>(
    `${request.key}:lines:${items[0]?.key}:${items.length}`,
    (idempotencyKey) =>
      stripe.invoices.addLines(draft.id, { lines }, { ...inAccount(request.account), idempotencyKey }),
    async () => {
      const present = await linesOf(stripe, request, draft)
      return items.every((item) => present.some((line) => fits(line, item))) ? present : null
    },
  )
}
