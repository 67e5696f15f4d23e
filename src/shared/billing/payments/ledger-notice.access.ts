import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { Invoice } from '../invoices.tables.ts'
import { findAvailable } from '../ledger/ledger.access.ts'
import { mailOfLedgerPayment } from './ledger-payments.jobs.ts'

/** An invoice that the payer's account pays by itself. */
interface PaymentOf {
  organizationId: number
  invoiceId: number
}

/** The contents of the mail that announces a payment from the payer's account. Money in cents. */
export interface PaymentToNotifyOf {
  orgUserId: number
  organization: string
  zone: string
  name: string
  address: string
  /** Whether the member has no account, and therefore never confirmed the address. */
  managed: boolean
  number: number | null
  memo: string | null
  payUrl: string | null
  dueCents: Cents
  balanceCents: Cents
  currency: string
}

/**
 * Returns the contents of the mail that announces a payment from the payer's account. Null when the payer agreed or was mailed before,
 * has no address or no money on the account, or when the invoice is not open any more.
 */
export async function findPaymentToNotifyOf(
  db: Db,
  { organizationId, invoiceId }: PaymentOf,
): Promise<PaymentToNotifyOf | null> {
  const { rows } = await sql<Omit<PaymentToNotifyOf, 'balanceCents'>>`
    select m.id as "orgUserId", o.name as organization, o.time_zone_name as zone, m.search_name as name, m.search_email as address,
      m.account_id is null as managed, i.number, i.memo, i.pay_url as "payUrl", i.currency,
      i.total_cents - i.credited_cents - i.amount_paid_cents + i.refunded_cents as "dueCents"
    from invoice i
    join organization o on o.id = i.organization_id
    join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
    where i.organization_id = ${organizationId} and i.id = ${invoiceId} and i.status = 'open' and i.auto_ledger
      and i.ledger_from is null and i.dispute_status is null and m.search_email <> ''`.execute(db)
  const [found] = rows
  if (!found) return null
  const balanceCents = await findAvailable(db, { organizationId, orgUserId: found.orgUserId })
  return balanceCents > 0 ? { ...found, balanceCents } : null
}

/** Stores from when on the payer's account pays an invoice, after the payer was mailed. Returns false when that is stored already. */
export async function markPaymentNotified(
  tx: Tx,
  { organizationId, invoiceId }: PaymentOf,
  from: Date,
): Promise<boolean> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice || invoice.ledgerFrom != null) return false
  invoice.ledgerFrom = from
  return true
}

/** Enqueues the mail that announces a payment from the payer's account, when the account will pay a newly issued invoice by itself. */
export function notifyOfLedgerPayment(
  tx: Tx,
  { organizationId, id: invoiceId, autoLedger, ledgerFrom }: Invoice,
): void {
  if (autoLedger && ledgerFrom == null) tx.enqueue(mailOfLedgerPayment, { organizationId, invoiceId })
}
