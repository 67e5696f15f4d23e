import { sql } from 'kysely'
import type { FindInvoice, GatewayAccount } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { copiesAtGateway } from '../payments/payment.queries.ts'
import type { InvoiceToCompare } from './compare.rules.ts'
import { gatewayReference, keepsPayments, queryAtGateway } from './invoice-to-issue.queries.ts'
import { issueAtGateway, refundAtGateway, settleAtGateway, voidAtGateway } from './invoices.jobs.ts'

/** An invoice that may still be open at the payment gateway. */
export interface LeftAtGateway extends FindInvoice {
  /** Whether everything that is left of its payments must be refunded: a void or refund job is waiting. */
  giveBack: boolean
  /** The ids of further gateway invoices whose payments must be refunded, latest first. */
  copies: string[]
  /** The ids of gateway invoices whose lines were replaced and whose payments are stored and kept. */
  kept: string[]
  /** The refunds that are under way. */
  refunds: RefundLeft[]
  /** Whether a job may be issuing it now. */
  raising: boolean
}

/** A refund through the gateway, of a credit note or an overpaid amount. `copies`: the gateway invoices on which the money was paid. */
interface RefundLeft {
  key: string
  amountCents: Cents
  copies: string[]
}

interface WaitingJob {
  job: string
  invoiceId: number
  revision: number | null
}

/**
 * Returns an organization's invoices that somebody can still pay, or that wait for a refund at the gateway. These are unpaid invoices;
 * invoices with a waiting job that issues, voids, settles or refunds them, earlier revisions included; and invoices with a pending
 * refund of a credit note or of an overpaid amount.
 */
export async function findLeftAtGateway(db: Db, organizationId: number): Promise<LeftAtGateway[]> {
  const jobs = [issueAtGateway, voidAtGateway, settleAtGateway, refundAtGateway].map(({ name }) => name)
  const { rows: waiting } = await sql<WaitingJob>`
    select job, (payload ->> 'invoiceId')::int as "invoiceId", (payload ->> 'revision')::int as revision
    from outbox where organization_id = ${organizationId} and job = any(${jobs})`.execute(db)
  const owed = await findRefundsUnderWay(db, organizationId)
  const invoices = await queryAtGateway(db, organizationId)
    .select(['i.id', copiesAtGateway.as('copies')])
    .where(
      sql<boolean>`(i.id = any(${[...waiting, ...owed].map(({ invoiceId }) => invoiceId)})
        or (i.settlement = 'processor' and i.status in ('pending', 'open')))`,
    )
    .execute()
  return invoices.flatMap((invoice) => {
    const { id: invoiceId, revision: present, status } = invoice
    const mine = waiting.filter((row) => row.invoiceId === invoiceId)
    const revisions = new Set([...mine.map(({ revision }) => revision ?? present), present])
    return [...revisions].map((revision): LeftAtGateway => {
      const jobsOfIt = mine.filter((row) => (row.revision ?? present) === revision).map(({ job }) => job)
      const { customer, ...found } = gatewayReference(invoice, revision)
      const refunds = jobsOfIt.includes(refundAtGateway.name)
      const superseded = revision !== present
      const voids = jobsOfIt.includes(voidAtGateway.name) && (superseded || !keepsPayments(invoice))
      return {
        ...found,
        customer: { key: customer.key, gatewayCustomerId: customer.gatewayCustomerId },
        refunds: owed
          .filter((refund) => refund.invoiceId === invoiceId && !superseded)
          .map(({ key, amountCents, copies }) => ({ key, amountCents, copies })),
        giveBack: refunds || voids,
        copies: refunds ? invoice.copies : [],
        kept: superseded ? invoice.copies : [],
        raising: jobsOfIt.includes(issueAtGateway.name) || (status === 'pending' && !superseded),
      }
    })
  })
}

/** Returns an organization's refunds of credit notes and of overpaid amounts that the gateway has not made yet. */
async function findRefundsUnderWay(db: Db, organizationId: number): Promise<(RefundLeft & { invoiceId: number })[]> {
  const { rows } = await sql<RefundLeft & { invoiceId: number }>`
    select c.invoice_id as "invoiceId", c.refund_key as key, c.refund_cents as "amountCents", ${copiesAtGateway} as copies
      from credit_note c join invoice i on i.organization_id = c.organization_id and i.id = c.invoice_id
      where c.organization_id = ${organizationId} and c.refund_status = 'pending'
    union all
    select invoice_id, refund_key, overpaid_cents, array[gateway_invoice_id]
      from payment where organization_id = ${organizationId} and overpaid_cents > 0 and overpaid_returned_at is null
        and gateway_invoice_id is not null
    order by key`.execute(db)
  return rows
}

/**
 * Returns the gateway accounts in which invoices were or can be raised. `openSince`: when the oldest open invoice was raised; null when
 * none is open.
 */
export async function findWhereInvoicesStand(db: Db): Promise<{ accounts: GatewayAccount[]; openSince: Date | null }> {
  const { rows } = await sql<{ account: GatewayAccount }>`
    select null as account union select settings ->> 'stripeAccountId' from organization
    union select gateway_account from invoice`.execute(db)
  const open = await sql<{ since: Date | null }>`
    select min(created_at) as since from invoice where status = 'open' and gateway_invoice_id is not null`.execute(db)
  return { accounts: rows.map(({ account }) => account), openSince: open.rows[0]?.since ?? null }
}

/** Returns the invoices of all organizations that have one of these keys or are open at the gateway. */
export async function findInvoicesToCompare(db: Db, keys: readonly string[]): Promise<InvoiceToCompare[]> {
  const { rows } = await sql<InvoiceToCompare>`
    select id, organization_id as "organizationId", status, gateway_keys as keys, gateway_invoice_id is not null as issued
      from invoice where gateway_keys && ${keys}::text[] or (status = 'open' and gateway_invoice_id is not null)
      order by id`.execute(db)
  return rows
}
