import { z } from 'zod'
import type { LedgerRow } from '../../../shared/billing/ledger/ledger.queries.ts'
import { ledgerKinds } from '../../../shared/billing/ledger.tables.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

/** The number of the receipt of a payment or a deposit. */
export const ReceiptNumber = z
  .int()
  .nullable()
  .describe('The number of the receipt, without gaps; null unless it was recorded by hand')

/** An entry of a member's account with the school. */
export const LedgerEntry = z
  .object({
    id: Id,
    orgUserId: Id,
    kind: z.enum(ledgerKinds),
    amountCents: Cents.describe('Signed: a deposit is positive, a charge negative'),
    balanceCents: Cents.describe('The balance after this entry'),
    reservationId: Id.nullable().describe('The booking of the charge; null when the entry has none'),
    invoiceId: Id.nullable().describe('The invoice of the charge or credit; null when the entry has none'),
    reversesId: Id.nullable().describe('The entry that this one reverses; null when it is not a reversal'),
    memo: z.string().nullable(),
    receiptNumber: ReceiptNumber,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'LedgerEntry' })

/** Returns a ledger entry as JSON; amounts are signed cents. */
export function ledgerEntryView(row: LedgerRow): z.input<typeof LedgerEntry> {
  return {
    id: row.id,
    orgUserId: row.membership_id,
    kind: row.kind,
    amountCents: row.amount_cents,
    balanceCents: row.balance_cents,
    reservationId: row.reservation_id,
    invoiceId: row.invoice_id,
    reversesId: row.reverses_id,
    memo: row.memo,
    receiptNumber: row.receipt_number,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
