import { z } from 'zod'
import { figuresOf, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { invoiceStatuses, settlements } from '../../../shared/billing/invoices/invoice.states.ts'
import { balanceOf, owedBackOf } from '../../../shared/billing/invoices/invoice-figures.rules.ts'
import { disputeStatuses, paymentMethods } from '../../../shared/billing/invoices.tables.ts'
import { storedMethods } from '../../../shared/billing/payments/payment.rules.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, Person, Reference } from '../../http/schemas.ts'
import { UndeliveredMail, undeliveredView } from '../../platform/deliveries/undelivered-mail.view.ts'
import { Quantity, TaxTotal } from '../../scheduling/reservations/invoice-totals.view.ts'
import { ReceiptNumber } from '../ledger/ledger.view.ts'

export const Invoice = z
  .object({
    id: Id,
    number: z.int().nullable().describe('Counts up per organization, without gaps; null until the invoice is issued'),
    status: z
      .enum(invoiceStatuses)
      .describe('`pending`: the payment processor does not have it yet. `failed`: the processor refused it'),
    reservation: Reference.nullable().describe('The booking that it charges; null when it charges none'),
    enrollment: Reference.nullable().describe('The enrollment whose fee it charges; null when it charges none'),
    customer: z
      .object({ orgUserId: Id, name: z.string(), email: z.string().nullable() })
      .nullable()
      .describe('The member who pays; null when a guest pays'),
    guest: z
      .object({ id: Id, name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable()
      .describe('The guest who pays; null when a member pays'),
    billedFor: Person.nullable().describe(
      'The member for whom the payer pays, as their bill-to payer; null when the payer pays for themself',
    ),
    settlement: z
      .enum(settlements)
      .describe('How it is paid: through the payment processor, from the member’s ledger, or without either'),
    memo: z.string().nullable(),
    items: z.array(
      z.object({
        id: Id,
        kind: z.string(),
        description: z.string(),
        quantity: Quantity,
        unit: z.string(),
        unitPrice: Cents,
        amountCents: Cents.describe('Excludes taxes'),
        taxCents: Cents,
        createdAt: Instant,
        updatedAt: Instant,
      }),
    ),
    subtotalCents: Cents.describe('The sum of the lines, without taxes'),
    taxes: z.array(TaxTotal).describe('One entry per tax rate, as in `settings.taxRates` when the lines were written'),
    taxCents: Cents,
    totalCents: Cents.describe('Includes taxes'),
    creditedCents: Cents.describe('The sum of its credit notes'),
    amountPaidCents: Cents,
    amountDueCents: Cents.describe('The unpaid amount; 0 unless the invoice is pending or open'),
    creditCents: Cents.describe('The paid amount above the amount due that is not refunded'),
    overpaidCents: Cents.describe('The paid amount above the amount due that is being refunded automatically'),
    payments: z
      .array(
        z.object({
          id: Id,
          amountCents: Cents,
          method: z.enum(storedMethods).meta({ choices: 'RecordedPaymentMethod' }),
          receivedAt: Instant,
          reference: z.string().nullable(),
          recordedBy: Person.nullable().describe('Who recorded it; null when the payment processor reported it'),
          receiptNumber: ReceiptNumber,
          reversedCents: Cents.describe('The reversed part, for example after a bounced check or a lost dispute'),
          reversedAt: Instant.nullable(),
          reversedBy: Person.nullable().describe('Who reversed it; null when the payment processor did'),
          reversalReason: z.string().nullable(),
          reversalAskedAt: Instant.nullable().describe(
            'Since when a reversal that a cashier asked for waits for an admin; null when none waits',
          ),
          createdAt: Instant,
          updatedAt: Instant,
        }),
      )
      .describe(
        'The payments, also those from the member’s ledger (`method: ledger`). A charge on the ledger in place of an ' +
          'invoice (`settlement: ledger`) is not a payment',
      ),
    dispute: z
      .object({
        status: z.enum(disputeStatuses),
        amountCents: Cents,
        evidenceDueAt: Instant.nullable().describe(
          'The processor’s deadline for evidence; null when the payer’s bank accepts none',
        ),
      })
      .nullable()
      .describe(
        'The latest dispute at the payment processor; null when there was none. An open one changes no amount; a ' +
          'lost one reverses the payment',
      ),
    currency: z.string(),
    dueAt: Instant.nullable(),
    overdue: z.boolean().describe('Whether it is unpaid and its due date has passed'),
    paid: z.boolean(),
    paidAt: Instant.nullable(),
    paymentMethod: z.enum(paymentMethods).meta({ choices: 'AnyPaymentMethod' }).nullable(),
    refundedCents: Cents.describe(
      'The refunded part of `amountPaidCents`, including refunds of credit notes that are not completed',
    ),
    refundStatus: z
      .enum(['waiting', 'refunded'])
      .nullable()
      .describe(
        '`waiting`: a refund above `settings.refundApprovalCents` waits for an admin. `refunded`: the payment of a ' +
          'cancelled booking or a void invoice was refunded',
      ),
    voided: z.boolean(),
    voidedAt: Instant.nullable(),
    voidReason: z
      .string()
      .nullable()
      .describe('Why it is void; `credited` when credit notes lowered it to zero. null unless it is void'),
    payUrl: z
      .string()
      .nullable()
      .describe('The page of the payment processor on which the payer pays; null when there is none'),
    pdfUrl: z.string().nullable().describe('The payment processor’s PDF; null when there is none'),
    processor: z
      .object({
        name: z.string(),
        invoiceId: z.string().nullable(),
        error: z.string().nullable().describe('The latest problem at the processor; null when there is none'),
      })
      .nullable()
      .describe('The copy at the payment processor; null when the invoice was never sent there'),
    remindedAt: Instant.nullable().describe('The latest reminder; null when there was none'),
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

/** Returns an invoice as JSON. `overdue` is true when it is unpaid and its due date is before `now`. */
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
    billedFor: row.billed_for,
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
    payments: row.payments.map(({ receivedAt, reversedAt, reversalAskedAt, ...payment }) => ({
      ...payment,
      ...stamps(payment),
      receivedAt: iso(new Date(receivedAt)),
      reversedAt: reversedAt && iso(new Date(reversedAt)),
      reversalAskedAt: reversalAskedAt && iso(new Date(reversalAskedAt)),
    })),
    dispute: row.dispute_status && {
      status: row.dispute_status,
      amountCents: row.dispute_cents ?? 0,
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
      row.settlement === 'processor' || row.gateway_invoice_id !== null
        ? { name: 'stripe', invoiceId: row.gateway_invoice_id, error: row.gateway_error }
        : null,
    remindedAt: iso(row.reminded_at),
    undeliveredMail: undeliveredView(row.undelivered),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
