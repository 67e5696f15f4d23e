import type Stripe from 'stripe'
import type { FindInvoice, IssueInvoice } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { postOnce } from './post-once.ts'

/** Slightly more than the 24 hours for which Stripe stores an idempotency key. */
const REMEMBERED_SECONDS = 25 * 3600

type Payer = Pick<FindInvoice, 'account' | 'customer'>

/**
 * Returns the payer's customer at Stripe, and creates it if necessary. There is one customer per key: the search finds
 * older ones, and the idempotency key prevents a second one while the first is not indexed yet.
 */
export async function ensureCustomer(
  stripe: Stripe,
  payer: Pick<IssueInvoice, 'account' | 'customer'>,
  now: Date,
): Promise<string> {
  const known = await indexedCustomer(stripe, payer)
  if (known !== null) return known
  const { account, customer } = payer
  const made = await postOnce(
    `${customer.key}:customer`,
    (idempotencyKey) =>
      stripe.customers.create(
        { name: customer.name, email: customer.email ?? undefined, metadata: { [KEY]: customer.key } },
        { ...inAccount(account), idempotencyKey },
      ),
    () => recentCustomer(stripe, payer, now),
  )
  return made.id
}

/** Returns the id of the payer's customer, also of one that the search does not find yet; null when Stripe has none. */
export async function findCustomer(stripe: Stripe, payer: Payer, now: Date): Promise<string | null> {
  return (await indexedCustomer(stripe, payer)) ?? (await recentCustomer(stripe, payer, now))?.id ?? null
}

/** Returns the stored customer, otherwise the oldest that the search finds, otherwise null. The search index lags by up to a minute. */
async function indexedCustomer(stripe: Stripe, { account, customer }: Payer): Promise<string | null> {
  if (customer.gatewayCustomerId !== null) return customer.gatewayCustomerId
  const query = `metadata['${KEY}']:'${customer.key.replace(/[\\']/g, '\\$&')}'`
  const { data } = await stripe.customers.search({ query, limit: 10 }, inAccount(account))
  return data.sort((a, b) => a.created - b.created)[0]?.id ?? null
}

async function recentCustomer(
  stripe: Stripe,
  { account, customer }: Payer,
  now: Date,
): Promise<Stripe.Customer | null> {
  const since = Math.floor(now.getTime() / 1000) - REMEMBERED_SECONDS
  for await (const recent of stripe.customers.list({ created: { gte: since }, limit: 100 }, inAccount(account))) {
    if (recent.metadata[KEY] === customer.key) return recent
  }
  return null
}
