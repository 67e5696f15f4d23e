import { findCreditOfEvent } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import { figuresOf, findInvoice, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { findAmount, findLedgerAmount, findReissue } from '../../../shared/billing/invoices/invoice-changes.queries.ts'
import { balanceOf, owedBackOf } from '../../../shared/billing/invoices/invoice-figures.rules.ts'
import { memoForPayer } from '../../../shared/billing/invoices/payer.rules.ts'
import { findAvailable, findBalance } from '../../../shared/billing/ledger/ledger.access.ts'
import { findMembersWithBalance, setsLedgerAuto } from '../../../shared/billing/ledger/ledger.queries.ts'
import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type { NotificationKind } from '../../../shared/communication/notifications/notification-kinds.rules.ts'
import {
  autopayAsked,
  autopayDeclined,
  type ChangedInvoice,
  disputeLost,
  invoiceChanged,
  invoiceDisputed,
  invoiceFailed,
  invoicePaid,
  invoiceRaised,
  invoiceReminder,
  type NotInvoiced,
  type RaisedInvoice,
} from '../../../shared/communication/notifications/templates/invoice.rules.ts'
import type { InvoiceTemplateData } from '../../../shared/communication/notifications/templates/invoice-words.rules.ts'
import {
  type LedgerPayment,
  ledgerPays,
  paidFromLedger,
} from '../../../shared/communication/notifications/templates/ledger.rules.ts'
import {
  type CreditTemplateData,
  invoiceCredited,
  paymentReturned,
  type ReturnedPayment,
} from '../../../shared/communication/notifications/templates/money-back.rules.ts'
import { findNameAndZone, findSettings } from '../../../shared/identity/organizations/organization.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findReason } from '../../../shared/platform/events/audit.queries.ts'
import { type Cents, ZERO } from '../../../shared/platform/kernel/units.ts'
import { findFlight } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinition,
  type NotificationSources,
} from '../../communication/notifications/define-notification.ts'

type Invoice = InvoiceTemplateData & { row: InvoiceRow }

/** Returns an invoice that is neither void nor failed; null otherwise, and for an invoice of 0 cents, which packages cover. */
async function raised(sources: NotificationSources, event: DomainEvent): Promise<(Invoice & RaisedInvoice) | null> {
  const invoice = await load(
    sources,
    event,
    ({ status, total_cents }) => status !== 'void' && status !== 'failed' && total_cents > 0,
  )
  return invoice && { ...invoice, balanceCents: await offered(sources, event.organizationId, invoice.row) }
}

/** Returns the balance from which the payer may pay an unpaid invoice, in cents, while `settings.payFromLedger` is `ask`; otherwise 0. */
async function offered(
  { database: { db } }: NotificationSources,
  organizationId: number,
  row: InvoiceRow,
): Promise<Cents> {
  if (row.membership_id === null || !isUnpaid(row)) return ZERO
  const { payFromLedger } = await findSettings(db, organizationId)
  return payFromLedger === 'ask' ? findAvailable(db, { organizationId, orgUserId: row.membership_id }) : ZERO
}

/** Returns a paid invoice; null otherwise. */
const paid = (sources: NotificationSources, event: DomainEvent) =>
  load(sources, event, ({ status }) => status === 'paid')

/** Returns an invoice that is pending or open; null otherwise. */
const unpaid = (sources: NotificationSources, event: DomainEvent) => load(sources, event, isUnpaid)

const isUnpaid = ({ status }: InvoiceRow) => status === 'pending' || status === 'open'

/** Returns a loader of an invoice whose latest dispute has this status. The loader returns null for other invoices. */
const disputeIn = (status: 'open' | 'lost') => (sources: NotificationSources, event: DomainEvent) =>
  load(sources, event, ({ dispute_status }) => dispute_status === status)

/** Returns an invoice with the credit note that the event is about; null when there is no such credit note. */
async function credited(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(Invoice & CreditTemplateData) | null> {
  const { organizationId, subjectId: invoiceId, eventId } = event
  const credit = await findCreditOfEvent(sources.database.db, organizationId, { invoiceId, eventId })
  const invoice = credit && (await load(sources, event, () => true))
  if (!invoice) return null
  const { number, amount_cents, refund, refund_cents, refund_status, refund_asked_at, reason } = credit
  return {
    ...invoice,
    credit: {
      number,
      amountCents: amount_cents,
      refund,
      refundCents: refund_cents,
      approved: refund_status !== 'waiting',
      later: refund_asked_at !== null,
      reason,
    },
    unpaid: isUnpaid(invoice.row),
    owedBackCents: owedBackOf(figuresOf(invoice.row)),
  }
}

/**
 * Returns a pending or open invoice with the amount due and the changes that an `invoice.reissued` event announces;
 * null when the invoice has another status, or when there is no such event.
 */
async function changed(sources: NotificationSources, event: DomainEvent): Promise<(Invoice & ChangedInvoice) | null> {
  const { organizationId, subjectId: invoiceId, eventId } = event
  const invoice = await load(sources, event, isUnpaid)
  const found = invoice && (await findReissue(sources.database.db, organizationId, { invoiceId, eventId }))
  if (!found) return null
  const dueCents = found.dueCents ?? balanceOf(figuresOf(invoice.row))
  // After a later change the payment page asks for another amount. The notification of that change has the link.
  const payUrl = dueCents === balanceOf(figuresOf(invoice.row)) ? invoice.payUrl : null
  return { ...invoice, payUrl, dueCents, changes: found.changes }
}

/**
 * Returns an invoice with the amount that was refunded to its payer, in cents; null when the invoice does not exist, or
 * when the event has no amount.
 */
async function returned(sources: NotificationSources, event: DomainEvent): Promise<(Invoice & ReturnedPayment) | null> {
  const { organizationId, eventId } = event
  const invoice = await load(sources, event, () => true)
  const returnedCents = await findAmount(sources.database.db, organizationId, eventId)
  return invoice && returnedCents !== null ? { ...invoice, returnedCents } : null
}

/** Returns an invoice with a payment from its payer's ledger and the balance that is left; null for a payment by another method. */
async function fromLedger(sources: NotificationSources, event: DomainEvent): Promise<(Invoice & LedgerPayment) | null> {
  const { organizationId, eventId } = event
  const { db } = sources.database
  const paidCents = await findLedgerAmount(db, organizationId, eventId)
  const invoice = paidCents === null ? null : await load(sources, event, () => true)
  if (paidCents === null || invoice?.row.membership_id == null) return null
  return {
    ...invoice,
    paidCents,
    balanceCents: await findBalance(db, { organizationId, orgUserId: invoice.row.membership_id }),
  }
}

/** Returns the members with a balance when a change of the organization's settings set `payFromLedger` to `auto`; null otherwise. */
async function switchedToAuto(
  { database: { db } }: NotificationSources,
  { organizationId, eventId }: DomainEvent,
): Promise<{ organization: string; orgUserIds: number[] } | null> {
  if (!(await setsLedgerAuto(db, organizationId, eventId))) return null
  const { name } = await findNameAndZone(db, organizationId)
  return { organization: name, orgUserIds: await findMembersWithBalance(db, organizationId) }
}

/**
 * Returns a signed-off flight that could not be invoiced, with the reason; null when it was reopened, cancelled or
 * invoiced.
 */
async function notInvoiced(
  { database }: NotificationSources,
  { organizationId, subjectId, eventId }: DomainEvent,
): Promise<NotInvoiced | null> {
  const row = await findFlight(database, organizationId, subjectId)
  if (!row?.signed_off_at || row.cancelled_at || row.invoices.some(({ stands }) => stands)) return null
  const reason = await findReason(database.db, organizationId, eventId)
  return { id: row.id, title: row.title, start: row.starts_at, zone: row.time_zone_name, reason }
}

/** Returns the payer, a member or a guest, as the audience. */
function payer({ row }: Invoice): Audience {
  return {
    orgUserIds: row.membership_id === null ? [] : [row.membership_id],
    guestIds: row.guest_id === null ? [] : [row.guest_id],
  }
}

/**
 * Returns the member who raised an invoice; for one that a signature or a shortfall raised, the member whose share it is, who can
 * cause many.
 */
function raisedFor({ row }: Invoice): number | undefined {
  return row.raised_by ?? row.billed_for?.orgUserId ?? row.membership_id ?? undefined
}

async function load(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  isCurrent: (row: InvoiceRow) => boolean,
): Promise<Invoice | null> {
  const now = clock()
  const row = await findInvoice(database, organizationId, subjectId, now)
  if (!row || !isCurrent(row)) return null
  const { name, zone } = await findNameAndZone(database.db, organizationId)
  return {
    row,
    id: row.id,
    number: row.number,
    organization: name,
    payer: row.payer_name,
    totalCents: row.total_cents,
    creditedCents: row.credited_cents,
    amountPaidCents: row.amount_paid_cents,
    refundedCents: row.refunded_cents,
    disputeCents: row.dispute_cents,
    disputeDueAt: row.dispute_due_at,
    currency: row.currency,
    dueAt: row.due_at,
    overdue: row.due_at !== null && row.due_at < now,
    zone,
    paid: row.status === 'paid',
    memo: memoForPayer(row.billed_for?.name ?? null, row.memo),
    payUrl: row.pay_url,
    reservationId: row.reservation_id,
  }
}

/** The definitions of the kinds that concern invoices. */
export const invoiceNotifications = {
  invoice_raised: defineNotification(raised, payer, invoiceRaised, undefined, raisedFor),
  invoice_changed: defineNotification(changed, payer, invoiceChanged),
  invoice_paid: defineNotification(paid, everyone(admins), invoicePaid),
  invoice_reminder: defineNotification(unpaid, payer, invoiceReminder),
  invoice_credited: defineNotification(credited, payer, invoiceCredited),
  paid_from_ledger: defineNotification(fromLedger, payer, paidFromLedger, undefined, raisedFor),
  ledger_pays: defineNotification(switchedToAuto, ({ orgUserIds }) => members(orgUserIds), ledgerPays),
  payment_returned: defineNotification(returned, payer, paymentReturned),
  autopay_declined: defineNotification(unpaid, payer, autopayDeclined),
  autopay_asked: defineNotification(unpaid, payer, autopayAsked),
  invoice_failed: defineNotification(notInvoiced, everyone(admins), invoiceFailed),
  invoice_disputed: defineNotification(disputeIn('open'), everyone(admins), invoiceDisputed),
  dispute_lost: defineNotification(disputeIn('lost'), everyone(admins), disputeLost),
} satisfies Partial<Record<NotificationKind, NotificationDefinition>>
