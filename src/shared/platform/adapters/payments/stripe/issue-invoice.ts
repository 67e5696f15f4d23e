import type Stripe from 'stripe'
import { formatMoney } from '../../../kernel/money.ts'
import { shortened } from '../../../kernel/text.ts'
import { type Cents, cents, sum } from '../../../kernel/units.ts'
import { GatewayRefused, GatewayUnavailable } from '../gateway-errors.ts'
import type {
  FindInvoice,
  GatewayAccount,
  GatewayInvoice,
  IssuedInvoice,
  IssueInvoice,
} from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { ensureCustomer } from './customers.ts'
import { ensureItems } from './draft-items.ts'
import { metadataFor, viewInvoice, viewRaised } from './invoice-view.ts'
import { isReplayed, postOnce } from './post-once.ts'

/** The most seconds by which Stripe's clock differs from the service's. */
const CLOCKS_DIFFER_SECONDS = 3600

/** The fewest seconds for which Stripe stores an idempotency key: a day. */
const REMEMBERED_AT_LEAST_SECONDS = 24 * 3600

/** The fewest seconds from now to a due date. Stripe requires a due date in the future, so an earlier one is moved. */
const SOON_SECONDS = 3600

/** The most characters of a memo at Stripe. */
const MEMO_LENGTH = 500

/**
 * Issues an invoice in four steps: customer, draft, items, finalization. Each step looks for the result of an earlier,
 * interrupted call, so that only one invoice results.
 * @throws GatewayRefused `amount_too_small` when the total is below the currency's least amount
 * @throws GatewayRefused `total_mismatch` when the invoice with this key has another total
 */
export async function issueInvoice(stripe: Stripe, request: IssueInvoice, now: Date): Promise<IssuedInvoice> {
  const totalCents = sum(request.items.map(({ amountCents }) => amountCents))
  const least = leastCharge(request.currency)
  if (totalCents < least) {
    const message = `An invoice below ${formatMoney(cents(least), request.currency)} cannot be collected.`
    throw new GatewayRefused(message, 'amount_too_small')
  }
  const customer = await ensureCustomer(stripe, request, now)
  const existing = isRemembered(request, now) ? null : await findStripeInvoice(stripe, request, customer)
  const { invoice, untouched } = existing ? begun(existing) : await createDraft(stripe, request, customer, now)
  if (invoice.status !== 'draft') return withTotal(invoice, totalCents)

  await ensureItems(stripe, request, invoice, untouched)
  if (!untouched) await checkDraft(stripe, request, invoice.id, totalCents)
  return withTotal(await finalize(stripe, request, invoice.id), totalCents)
}

/**
 * Returns whether Stripe still stores the idempotency key of every earlier call for this invoice. A repeated creation then
 * returns the first draft, so that no search is needed.
 */
function isRemembered({ createdAt }: FindInvoice, now: Date): boolean {
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000
  return ageSeconds < REMEMBERED_AT_LEAST_SECONDS - CLOCKS_DIFFER_SECONDS
}

/**
 * Returns the customer's invoice with this key; null when there is none. Searches from the newest back to the creation of the
 * invoice's row.
 */
export async function findStripeInvoice(
  stripe: Stripe,
  { account, key, createdAt }: FindInvoice,
  customer: string,
): Promise<Stripe.Invoice | null> {
  const since = Math.floor(createdAt.getTime() / 1000) - CLOCKS_DIFFER_SECONDS
  const list = stripe.invoices.list({ customer, created: { gte: since }, limit: 100 }, inAccount(account))
  for await (const invoice of list) {
    if (invoice.metadata?.[KEY] === key) return invoice
  }
  return null
}

/** Returns the invoices that the service created in an account since an instant. */
export async function listInvoices(stripe: Stripe, account: GatewayAccount, since: Date): Promise<GatewayInvoice[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) - CLOCKS_DIFFER_SECONDS }
  const found: GatewayInvoice[] = []
  for await (const invoice of stripe.invoices.list({ created, limit: 100 }, inAccount(account))) {
    if (invoice.metadata?.[KEY]) found.push(viewInvoice(invoice))
  }
  return found
}

/** `untouched`: this call created the draft, so it has no items yet. */
interface Draft {
  invoice: Stripe.Invoice
  untouched: boolean
}

function begun(invoice: Stripe.Invoice): Draft {
  return { invoice, untouched: false }
}

function createDraft(stripe: Stripe, request: IssueInvoice, customer: string, now: Date): Promise<Draft> {
  const draft: Stripe.InvoiceCreateParams = {
    customer,
    currency: request.currency,
    auto_advance: false,
    pending_invoice_items_behavior: 'exclude',
    description: request.memo === null ? undefined : shortened(request.memo, MEMO_LENGTH),
    metadata: metadataFor(request.key, request.reference),
    ...collection(request.dueAt, now),
  }
  const account = inAccount(request.account)
  return postOnce<Draft>(
    `${request.key}:invoice`,
    async (idempotencyKey) => {
      const invoice = await stripe.invoices.create(draft, { ...account, idempotencyKey })
      if (!isReplayed(invoice)) return { invoice, untouched: true }
      return begun(await stripe.invoices.retrieve(invoice.id, {}, account))
    },
    async () => {
      const existing = await findStripeInvoice(stripe, request, customer)
      return existing && begun(existing)
    },
  )
}

/**
 * Returns the collection method and due date of a draft. Stripe requires a due date for `send_invoice`, so an invoice
 * without one is `charge_automatically`; with `auto_advance` off nothing is charged, and the payer pays on the
 * invoice's page.
 */
function collection(dueAt: Date | null, now: Date): Pick<Stripe.InvoiceCreateParams, 'collection_method' | 'due_date'> {
  if (dueAt === null) return { collection_method: 'charge_automatically' }
  const soonest = Math.floor(now.getTime() / 1000) + SOON_SECONDS
  return { collection_method: 'send_invoice', due_date: Math.max(Math.floor(dueAt.getTime() / 1000), soonest) }
}

/**
 * Ensures that a draft of an earlier call has the total of the request, because finalizing cannot be undone.
 * @throws GatewayUnavailable when it has another total
 */
async function checkDraft(stripe: Stripe, { account }: IssueInvoice, id: string, totalCents: Cents): Promise<void> {
  const draft = await stripe.invoices.retrieve(id, {}, inAccount(account))
  if (draft.status === 'draft' && draft.total !== totalCents) {
    throw new GatewayUnavailable('The half-raised invoice does not add up yet.')
  }
}

function finalize(stripe: Stripe, { account, key }: IssueInvoice, id: string): Promise<Stripe.Invoice> {
  return postOnce<Stripe.Invoice>(
    `${key}:finalize`,
    (idempotencyKey) =>
      stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { ...inAccount(account), idempotencyKey }),
    async () => {
      const invoice = await stripe.invoices.retrieve(id, {}, inAccount(account))
      return invoice.status === 'draft' ? null : invoice
    },
  )
}

function withTotal(invoice: Stripe.Invoice, totalCents: Cents): IssuedInvoice {
  if (invoice.total === totalCents) return viewRaised(invoice)
  throw new GatewayRefused('The payment processor has this invoice with another total.', 'total_mismatch')
}

/** Stripe's minimum charges above 50, in the currency's smallest unit. */
const LEAST: Record<string, number> = {
  aed: 200,
  bgn: 100,
  czk: 1_500,
  dkk: 250,
  hkd: 400,
  huf: 17_500,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1_000,
}
const LEAST_ELSEWHERE = 50

/**
 * Returns the least amount of an invoice in a currency, in its smallest unit. Below it Stripe collects nothing, but marks the
 * invoice paid and adds the amount to the payer's next one. The result is at least 50, the service's own minimum.
 * Implements interface §Limits, payment minimum.
 */
function leastCharge(currency: string): number {
  return LEAST[currency] ?? LEAST_ELSEWHERE
}
