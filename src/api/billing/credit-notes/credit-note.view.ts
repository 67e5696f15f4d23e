import { z } from 'zod'
import { refundStatuses, refundWays } from '../../../shared/billing/credit-notes/credit.rules.ts'
import type { CreditNoteRow } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'

export const CreditNote = z
  .object({
    id: Id,
    number: z.int().describe('Counts up per organization, without gaps. Invoices have a separate series of numbers'),
    invoiceId: Id,
    items: z
      .array(z.object({ itemId: Id, description: z.string(), amountCents: Cents.describe('Includes tax') }))
      .describe('The credited lines; empty when the invoice was credited as a whole'),
    amountCents: Cents.describe('Includes taxes'),
    taxCents: Cents.describe('The tax within `amountCents`'),
    reason: z.string(),
    refund: z.enum(refundWays),
    refundStatus: z
      .enum(refundStatuses)
      .describe(
        '`waiting`: a second admin must approve the refund. `pending`: the payment processor has not made it yet',
      ),
    refundedCents: Cents.describe('The amount refunded so far'),
    createdBy: Person.nullable().describe(
      'The admin who created it; null when the payment processor reported a refund',
    ),
    refundBy: Person.nullable().describe(
      'The admin who requested the refund afterwards; null when it was requested with the credit note, or not at all',
    ),
    pdfUrl: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'CreditNote' })

/** Returns a credit note as JSON. `publicUrl` is the address of its PDF. */
export function creditNoteView(row: CreditNoteRow, publicUrl: string): z.input<typeof CreditNote> {
  return {
    id: row.id,
    number: row.number,
    invoiceId: row.invoice_id,
    items: row.items.map(({ itemId, description, amountCents }) => ({ itemId, description, amountCents })),
    amountCents: row.amount_cents,
    taxCents: row.tax_cents,
    reason: row.reason,
    refund: row.refund,
    refundStatus: row.refund_status,
    refundedCents: row.refunded_cents,
    createdBy: row.created_by_person,
    refundBy: row.refund_by_person,
    pdfUrl: `${publicUrl}/creditNotes/${row.id}?format=pdf`,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
