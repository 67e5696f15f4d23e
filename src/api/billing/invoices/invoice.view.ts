import { z } from 'zod'
import { figuresOf, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { invoiceStatuses, settlements } from '../../../shared/billing/invoices/invoice.states.ts'
import { balanceOf, owedBackOf } from '../../../shared/billing/invoices/invoice-figures.rules.ts'
import { disputeStatuses, paymentMethods } from '../../../shared/billing/invoices.tables.ts'
import { outsideMethods } from '../../../shared/billing/payments/payment.rules.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person } from '../../http/schemas.ts'
import { UndeliveredMail, undeliveredView } from '../../platform/deliveries/undelivered-mail.view.ts'
import { Quantity, TaxTotal } from './invoice-totals.view.ts'

export const Invoice = z
  .object({
    id: Id,
    number: z
      .int()
      .nullable()
      .describe('Per organization, without gaps; null until raised')
      .meta({ examples: [1042] }),
    status: z.enum(invoiceStatuses).describe('`pending` until the processor has it'),
    reservation: z.object({ id: Id }).nullable(),
    enrollment: z.object({ id: Id }).nullable(),
    customer: z.object({ orgUserId: Id, name: z.string(), email: z.string().nullable() }).nullable(),
    guest: z
      .object({ id: Id, name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable(),
    settlement: z.enum(settlements),
    memo: z.string().nullable(),
    items: z.array(
      z.object({
        id: Id,
        kind: z.string().meta({ examples: ['aircraft'] }),
        description: z.string().meta({ examples: ['N512FL (wet, Hobbs)'] }),
        quantity: Quantity,
        unit: z.string().meta({ examples: ['hour'] }),
        unitPrice: Cents,
        amountCents: Cents.describe('Without taxes'),
        taxCents: Cents.meta({ examples: [0] }),
        createdAt: Instant,
        updatedAt: Instant,
      }),
    ),
    subtotalCents: Cents.describe('The lines without taxes'),
    taxes: z
      .array(TaxTotal)
      .describe('By rate of `settings.taxRates`, as it was then')
      .meta({ examples: [[]] }),
    taxCents: Cents.meta({ examples: [0] }),
    totalCents: Cents.describe('With taxes'),
    creditedCents: Cents.describe('What credit notes take off the total').meta({ examples: [0] }),
    amountPaidCents: Cents,
    amountDueCents: Cents,
    creditCents: Cents.describe('What the payer has paid beyond what is due').meta({ examples: [0] }),
    overpaidCents: Cents.describe('What came in above what was due, and is on its way back').meta({ examples: [0] }),
    payments: z
      .array(
        z.object({
          id: Id,
          amountCents: Cents,
          method: z.enum(outsideMethods),
          receivedAt: Instant,
          reference: z.string().nullable(),
          recordedBy: Person.nullable().describe('null when the processor reported it'),
          reversedCents: Cents.describe('What was taken back: a bounced check, a lost dispute').meta({ examples: [0] }),
          reversedAt: Instant.nullable(),
          createdAt: Instant,
          updatedAt: Instant,
        }),
      )
      .describe('As they were noted; a charge of the member’s account is none'),
    dispute: z
      .object({
        status: z.enum(disputeStatuses),
        amountCents: Cents,
        evidenceDueAt: Instant.nullable().describe(
          'Until when the processor takes evidence; null when the payer’s bank takes none',
        ),
      })
      .nullable()
      .describe('The latest at the processor; an open one changes no figure, a lost one takes the payment back')
      .meta({ examples: [null] }),
    currency: z.string().meta({ examples: ['usd'] }),
    dueAt: Instant.nullable(),
    overdue: z.boolean(),
    paid: z.boolean(),
    paidAt: Instant.nullable(),
    paymentMethod: z.enum(paymentMethods).nullable(),
    refundedCents: Cents.describe('Of what was paid; when a booking was cancelled or an invoice voided after all'),
    refundStatus: z
      .enum(['waiting', 'refunded'])
      .nullable()
      .describe('`waiting` for an admin, above `settings.refundApprovalCents`')
      .meta({ examples: [null] }),
    voided: z.boolean(),
    voidedAt: Instant.nullable(),
    voidReason: z
      .string()
      .nullable()
      .describe('Why it is void: what was said, or `credited` when credit notes took all of it; null unless it is void')
      .meta({ examples: [null] }),
    payUrl: z
      .string()
      .nullable()
      .describe('Where the payer pays')
      .meta({ examples: ['https://invoice.stripe.com/i/…'] }),
    pdfUrl: z.string().nullable(),
    processor: z
      .object({ name: z.string(), invoiceId: z.string().nullable(), error: z.string().nullable() })
      .nullable(),
    remindedAt: Instant.nullable(),
    undeliveredMail: UndeliveredMail,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Invoice' })

function refundStatusOf({ refund_waiting_at, refunded_at }: InvoiceRow) {
  if (refund_waiting_at) return 'waiting'
  return refunded_at ? 'refunded' : null
}

function stamps({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }) {
  return { createdAt: iso(new Date(createdAt)), updatedAt: iso(new Date(updatedAt)) }
}

/** Returns an invoice as JSON. `overdue` is decided at `now`: unpaid, and its due date has passed. */
export function invoiceView(row: InvoiceRow, now: Date): z.input<typeof Invoice> {
  const unpaid = row.status === 'pending' || row.status === 'open'
  const figures = figuresOf(row)
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    reservation: row.reservation_id === null ? null : { id: row.reservation_id },
    enrollment: row.enrollment_id === null ? null : { id: row.enrollment_id },
    customer:
      row.membership_id === null
        ? null
        : { orgUserId: row.membership_id, name: row.payer_name, email: row.payer_email },
    guest:
      row.guest_id === null
        ? null
        : { id: row.guest_id, name: row.payer_name, email: row.payer_email, phone: row.payer_phone },
    settlement: row.settlement,
    memo: row.memo,
    items: row.items.map(({ quantityHundredths, ...item }) => ({
      ...item,
      ...stamps(item),
      quantity: readingToNumber(quantityHundredths),
    })),
    subtotalCents: minus(row.total_cents, row.tax_cents),
    taxes: row.taxes,
    taxCents: row.tax_cents,
    totalCents: row.total_cents,
    creditedCents: row.credited_cents,
    amountPaidCents: row.amount_paid_cents,
    amountDueCents: unpaid ? balanceOf(figures) : 0,
    creditCents: row.status === 'void' ? 0 : owedBackOf(figures),
    overpaidCents: row.overpaid_cents,
    payments: row.payments.map(({ receivedAt, reversedAt, ...payment }) => ({
      ...payment,
      ...stamps(payment),
      receivedAt: iso(new Date(receivedAt)),
      reversedAt: reversedAt && iso(new Date(reversedAt)),
    })),
    dispute: row.dispute_status && {
      ...{ status: row.dispute_status, amountCents: row.dispute_cents ?? 0 },
      evidenceDueAt: iso(row.dispute_due_at),
    },
    currency: row.currency,
    dueAt: iso(row.due_at),
    overdue: unpaid && row.due_at !== null && row.due_at < now,
    paid: row.status === 'paid',
    paidAt: iso(row.paid_at),
    paymentMethod: row.payment_method,
    refundedCents: row.refunded_cents,
    refundStatus: refundStatusOf(row),
    voided: row.status === 'void',
    voidedAt: iso(row.voided_at),
    voidReason: row.status === 'void' ? row.void_reason : null,
    payUrl: row.pay_url,
    pdfUrl: row.pdf_url,
    processor:
      row.settlement === 'processor' || row.processor_invoice_id !== null
        ? { name: 'stripe', invoiceId: row.processor_invoice_id, error: row.processor_error }
        : null,
    remindedAt: iso(row.reminded_at),
    undeliveredMail: undeliveredView(row.undelivered),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
