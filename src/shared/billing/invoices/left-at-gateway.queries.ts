import { sql } from 'kysely'
import type { FindInvoice, GatewayAccount } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { InvoiceToCompare } from './compare.rules.ts'
import { gatewayReference, queryAtGateway } from './invoice-to-raise.queries.ts'
import { issueAtGateway, refundAtGateway, settleAtGateway, voidAtGateway } from './invoices.jobs.ts'

/** An invoice that may still be open at the payment gateway. */
export interface LeftAtGateway extends FindInvoice {
  /** Whether a payment on it must be refunded: a void or refund job is waiting. */
  giveBack: boolean
  /** The refunds of credit notes that are under way. */
  refunds: CreditRefund[]
  /** Whether a job may be issuing it now. */
  raising: boolean
}

/** What a credit note gives back through the gateway. */
interface CreditRefund {
  key: string
  amountCents: Cents
}

interface WaitingJob {
  job: string
  invoiceId: number
  revision: number | null
}

/**
 * Returns an organization's invoices that somebody can still pay or that wait for a refund at the gateway: unpaid ones,
 * those with a waiting job to void, settle or refund them, earlier revisions included, and those of which a credit note is
 * refunded.
 */
export async function findLeftAtGateway(db: Db, organizationId: number): Promise<LeftAtGateway[]> {
  const jobs = [issueAtGateway, voidAtGateway, settleAtGateway, refundAtGateway].map(({ name }) => name)
  const { rows: waiting } = await sql<WaitingJob>`
    select job, (payload ->> 'invoiceId')::int as "invoiceId", (payload ->> 'revision')::int as revision
    from outbox where organization_id = ${organizationId} and job = any(${jobs})`.execute(db)
  const { rows: credited } = await sql<CreditRefund & { invoiceId: number }>`
    select invoice_id as "invoiceId", refund_key as key, refund_cents as "amountCents"
    from credit_note where organization_id = ${organizationId} and refund_status = 'pending' order by id`.execute(db)
  const invoices = await queryAtGateway(db, organizationId)
    .select('i.id')
    .where(
      sql<boolean>`(i.id = any(${[...waiting, ...credited].map(({ invoiceId }) => invoiceId)})
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
      return {
        ...found,
        customer: { key: customer.key, processorCustomerId: customer.processorCustomerId },
        refunds: credited
          .filter((refund) => refund.invoiceId === invoiceId && revision === present)
          .map(({ key, amountCents }) => ({ key, amountCents })),
        giveBack: jobsOfIt.includes(voidAtGateway.name) || jobsOfIt.includes(refundAtGateway.name),
        raising: jobsOfIt.includes(issueAtGateway.name) || (status === 'pending' && revision === present),
      }
    })
  })
}

/** Returns the gateway accounts that invoices were or can be raised in, and when the oldest open invoice was raised. */
export async function findWhereInvoicesStand(db: Db): Promise<{ accounts: GatewayAccount[]; openSince: Date | null }> {
  const { rows } = await sql<{ account: GatewayAccount }>`
    select null as account union select settings ->> 'stripeAccountId' from organization
    union select processor_account from invoice`.execute(db)
  const open = await sql<{ since: Date | null }>`
    select min(created_at) as since from invoice where status = 'open' and processor_invoice_id is not null`.execute(db)
  return { accounts: rows.map(({ account }) => account), openSince: open.rows[0]?.since ?? null }
}

/** Returns the invoices of all organizations that have one of these keys or are open at the gateway. */
export async function findInvoicesToCompare(db: Db, keys: readonly string[]): Promise<InvoiceToCompare[]> {
  const { rows } = await sql<InvoiceToCompare>`
    select id, organization_id as "organizationId", status, processor_keys as keys, processor_invoice_id is not null as issued
      from invoice where processor_keys && ${keys}::text[] or (status = 'open' and processor_invoice_id is not null)
      order by id`.execute(db)
  return rows
}
