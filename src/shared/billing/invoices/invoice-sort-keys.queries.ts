import { type RawBuilder, sql } from 'kysely'
import { byText, byValue, nameOf, type SortKeys } from '../../platform/db/sort-keys.ts'
import { undeliveredMailKeys } from '../../platform/deliveries/undelivered-mail.queries.ts'
import { balance, overdueAt, overpaid, unpaid } from './invoice-filter.queries.ts'

/** Returns the sort keys of an invoice list, over `i` and the payer, member `m` or guest `g`. */
export function invoiceSortKeys(now: Date): SortKeys {
  return {
    id: byValue('i.id'),
    number: byValue('i.number'),
    status: byText('i.status'),
    'reservation.id': byValue('i.reservation_id'),
    'enrollment.id': byValue('i.enrollment_id'),
    'customer.orgUserId': byValue('i.membership_id'),
    'customer.name': byText('m.search_name'),
    'customer.email': byText('m.search_email'),
    'guest.id': byValue('i.guest_id'),
    'guest.name': byText('g.name'),
    'guest.email': byText('g.email'),
    'guest.phone': byText('g.phone'),
    'billedFor.orgUserId': byValue('i.billed_for_id'),
    'billedFor.name': byText(nameOf(sql`i.billed_for_id`)),
    settlement: byText('i.settlement'),
    memo: byText('i.memo'),
    'items.*.id': item(byValue('t.id')),
    'items.*.kind': item(byText('t.kind')),
    'items.*.description': item(byText('t.description')),
    'items.*.quantity': item(byValue('t.quantity_hundredths')),
    'items.*.unit': item(byText('t.unit')),
    'items.*.unitPrice': item(byValue('t.unit_price')),
    'items.*.amountCents': item(byValue('t.amount_cents')),
    'items.*.taxCents': item(byValue('t.tax_cents')),
    'items.*.createdAt': item(byValue('t.created_at')),
    'items.*.updatedAt': item(byValue('t.updated_at')),
    subtotalCents: sql`i.total_cents - i.tax_cents`,
    'taxes.*.name': tax((row) => byText(sql`${row} ->> 'name'`)),
    'taxes.*.basisPoints': tax((row) => sql`${row} -> 'basisPoints'`),
    'taxes.*.taxableCents': tax((row) => sql`${row} -> 'taxableCents'`),
    'taxes.*.taxCents': tax((row) => sql`${row} -> 'taxCents'`),
    taxCents: byValue('i.tax_cents'),
    totalCents: byValue('i.total_cents'),
    creditedCents: byValue('i.credited_cents'),
    amountPaidCents: byValue('i.amount_paid_cents'),
    amountDueCents: sql`case when ${unpaid} then ${balance} else 0 end`,
    creditCents: sql`case when i.status = 'void' then 0 else greatest(0, -(${balance})) end`,
    overpaidCents: overpaid,
    'dispute.status': byText('i.dispute_status'),
    'dispute.amountCents': byValue('i.dispute_cents'),
    'dispute.evidenceDueAt': byValue('i.dispute_due_at'),
    'payments.*.id': payment(byValue('p.id')),
    'payments.*.amountCents': payment(byValue('p.amount_cents')),
    'payments.*.method': payment(byText('p.method')),
    'payments.*.receivedAt': payment(byValue('p.received_at')),
    'payments.*.reference': payment(byText('p.reference')),
    'payments.*.recordedBy.orgUserId': payment(byValue('p.recorded_by')),
    'payments.*.recordedBy.name': payment(
      sql`(select ${byText('w.search_name')} from membership w where w.organization_id = p.organization_id and w.id = p.recorded_by)`,
    ),
    'payments.*.receiptNumber': payment(
      sql`(select n.number from receipt n where n.organization_id = p.organization_id and n.payment_id = p.id)`,
    ),
    'payments.*.reversedCents': payment(byValue('p.reversed_cents')),
    'payments.*.reversedAt': payment(byValue('p.reversed_at')),
    'payments.*.reversedBy.orgUserId': payment(byValue('p.reversed_by')),
    'payments.*.reversedBy.name': payment(
      sql`(select ${byText('w.search_name')} from membership w where w.organization_id = p.organization_id and w.id = p.reversed_by)`,
    ),
    'payments.*.reversalReason': payment(byText('p.reversal_reason')),
    'payments.*.reversalAskedAt': payment(byValue('p.reversal_asked_at')),
    'payments.*.createdAt': payment(byValue('p.created_at')),
    'payments.*.updatedAt': payment(byValue('p.updated_at')),
    currency: byText('i.currency'),
    dueAt: byValue('i.due_at'),
    overdue: overdueAt(now),
    paid: sql`i.status = 'paid'`,
    paidAt: byValue('i.paid_at'),
    paymentMethod: byText('i.payment_method'),
    refundedCents: byValue('i.refunded_cents'),
    refundStatus: byText(
      sql`case when i.refund_waiting_at is not null then 'waiting' when i.refunded_at is not null then 'refunded' end`,
    ),
    voided: sql`i.status = 'void'`,
    voidedAt: byValue('i.voided_at'),
    voidReason: byText(sql`case when i.status = 'void' then i.void_reason end`),
    payUrl: byText('i.pay_url'),
    pdfUrl: byText('i.pdf_url'),
    'processor.name': sql`case when ${atGateway} then 0 end`,
    'processor.invoiceId': byText('i.gateway_invoice_id'),
    'processor.error': byText(sql`case when ${atGateway} then i.gateway_error end`),
    ...undeliveredMailKeys('invoice_id', 'i'),
    remindedAt: byValue('i.reminded_at'),
    createdAt: byValue('i.created_at'),
    updatedAt: byValue('i.updated_at'),
  }
}

const atGateway = sql`(i.settlement = 'processor' or i.gateway_invoice_id is not null)`

function item(key: RawBuilder<unknown>) {
  return (index: number) => sql`(select ${key} from invoice_item t
    where t.organization_id = i.organization_id and t.invoice_id = i.id order by t.position limit 1 offset ${index})`
}

/** Returns sort keys over the taxes of an invoice. JSON numbers sort as numbers. */
function tax(key: (row: RawBuilder<unknown>) => RawBuilder<unknown>) {
  return (index: number) => key(sql`(i.taxes -> ${sql.lit(index)})`)
}

function payment(key: RawBuilder<unknown>) {
  return (index: number) => sql`(select ${key} from payment p
    where p.organization_id = i.organization_id and p.invoice_id = i.id order by p.id
    limit 1 offset ${index})`
}
