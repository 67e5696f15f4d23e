import { z } from 'zod'
import { refundStatuses, refundWays } from '../../../shared/billing/credit-notes/credit.rules.ts'
import type { CreditNoteRow } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'

export const CreditNote = z
  .object({
    id: Id,
    number: z
      .int()
      .describe('Per organization, without gaps, beside the numbers of invoices')
      .meta({ examples: [12] }),
    invoiceId: Id,
    items: z
      .array(z.object({ itemId: Id, description: z.string(), amountCents: Cents }))
      .describe('Empty when the amount is taken off the invoice as a whole'),
    amountCents: Cents.describe('With taxes'),
    taxCents: Cents.describe('The tax within the amount').meta({ examples: [0] }),
    reason: z.string(),
    refund: z.enum(refundWays),
    refundStatus: z
      .enum(refundStatuses)
      .describe('`waiting` for a second admin; `pending` until the processor has given it back'),
    refundedCents: Cents.describe('What went back'),
    createdBy: Person.nullable().describe('Who gave it; null when the processor reported a refund'),
    refundBy: Person.nullable().describe(
      'Who had it refunded later; null when that was asked for with it, or not at all',
    ),
    pdfUrl: z.string().meta({ examples: ['https://flightline.example/credits/12/pdf'] }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'CreditNote' })

/** Returns a credit note as JSON; its PDF is at `publicUrl`. */
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
    pdfUrl: `${publicUrl}/credits/${row.id}/pdf`,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
