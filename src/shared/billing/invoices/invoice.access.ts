import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { identityErrors } from '../../identity/identity.errors.ts'
import { payerOfMember } from '../../identity/members/payer.queries.ts'
import type { TaxTerms } from '../../identity/organizations/taxes.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import type { Conflict } from '../../platform/kernel/errors.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { schedulingErrors } from '../../scheduling/scheduling.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import type { PayerId, TaxedLine } from '../flight-bill/flight-bill.types.ts'
import { Invoice } from '../invoices.tables.ts'
import type { PayerOfShare } from './payer.access.ts'
import type { PayerFacts } from './payer.rules.ts'

/** Returns the invoice, locked until the commit; null when its organization was deleted. */
export async function lockInvoice(tx: Tx, organizationId: number, invoiceId: number): Promise<Invoice | null> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  return tx.em.findOne(Invoice, { organizationId, id: invoiceId }, locked)
}

/** Returns the invoice, locked until the commit; throws when it is neither pending nor open. */
export async function lockUnpaid(tx: Tx, actor: Actor, id: number): Promise<Invoice> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  assertIsUnpaid(invoice)
  return invoice
}

export function assertIsUnpaid({ status }: Invoice): void {
  if (status === 'pending' || status === 'open') return
  throw billingErrors.invoiceClosed({ status: status === 'paid' ? 'paid' : 'void' })
}

/** Returns the error for a change after which the amount due would be too small for the payment gateway. */
export function remainderTooSmall(leftCents: Cents): Conflict {
  return billingErrors.remainderTooSmall({ left: leftCents, minimum: LEAST_SHARE_CENTS }, { leftCents })
}

/** Returns the pending, open and paid invoices of these bookings, locked until the commit. */
export async function lockLiveInvoices(
  tx: Tx,
  organizationId: number,
  reservationIds: readonly number[],
): Promise<Invoice[]> {
  return tx.em.find(
    Invoice,
    { organizationId, reservationId: { $in: [...reservationIds] }, status: { $in: ['pending', 'open', 'paid'] } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, refresh: true },
  )
}

/**
 * Returns the open invoices that a member's account pays by itself, without disputed ones, locked until the commit. Call it before the
 * account is locked: invoices are locked first, in the order of their ids.
 */
export function lockOpenAutomatic(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<Invoice[]> {
  return tx.em.find(
    Invoice,
    { organizationId, membershipId: orgUserId, autoLedger: true, status: 'open', disputeStatus: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, refresh: true },
  )
}

/**
 * Checks that the organization still uses this currency. The row lock makes a concurrent change of the currency wait
 * and fail.
 */
export async function assertKeepsCurrency(tx: Tx, organizationId: number, currency: string): Promise<void> {
  const organization = await tx.db
    .selectFrom('organization')
    .select('settings')
    .where('id', '=', organizationId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  if (readSettings(organization.settings).currency === currency) return
  throw billingErrors.currencyChanged()
}

/** Returns the organization's next invoice number. */
export function nextInvoiceNumber(tx: Tx, organizationId: number): Promise<number> {
  return nextNumber(tx, organizationId, 'last_invoice_number')
}

/** Returns the organization's next number of a credit note. */
export function nextCreditNumber(tx: Tx, organizationId: number): Promise<number> {
  return nextNumber(tx, organizationId, 'last_credit_number')
}

/** Takes the next number of a series. The organization row stays locked until the commit, so that the numbers of a series have no gaps. */
async function nextNumber(
  tx: Tx,
  organizationId: number,
  series: 'last_invoice_number' | 'last_credit_number',
): Promise<number> {
  const { rows } = await sql<{ drawn: number }>`
    update organization set ${sql.ref(series)} = ${sql.ref(series)} + 1 where id = ${organizationId}
    returning ${sql.ref(series)} as drawn`.execute(tx.db)
  return rows[0]!.drawn
}

/**
 * Returns the largest refund to a card, in cents, that a member can cause without the approval of an admin; null, which means no limit,
 * for owners and admins, and when `settings.refundApprovalCents` is not set.
 */
export async function findRefundLimit(db: Db, { organizationId, orgUserId }: Cause): Promise<Cents | null> {
  const found = await db
    .selectFrom('organization as o')
    .leftJoin('membership as m', (join) => join.onRef('m.organization_id', '=', 'o.id').on('m.id', '=', orgUserId))
    .select(['o.settings', 'm.owner', 'm.admin'])
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return found.owner || found.admin ? null : readSettings(found.settings).refundApprovalCents
}

/**
 * Returns the facts that decide the taxes of an invoice's lines when they are replaced: the organization's present rates, whether the
 * payer is exempt, and the location of the flight.
 */
export async function taxTermsOf(
  tx: Tx,
  { organizationId, organization }: Actor,
  { membershipId, reservationId }: Pick<Invoice, 'membershipId' | 'reservationId'>,
): Promise<TaxTerms> {
  const { rows } = await sql<{ exempt: boolean; locationId: number | null }>`
    select coalesce((select m.tax_exempt from membership m
        where m.organization_id = ${organizationId} and m.id = ${membershipId ?? null}), false) as exempt,
      (select coalesce(r.location_id, x.location_id) from reservation r
        left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
        where r.organization_id = ${organizationId} and r.id = ${reservationId ?? null}) as "locationId"`.execute(tx.db)
  return { rates: organization.settings.taxRates, ...rows[0]! }
}

/** Returns a guest of the organization as the payer; throws when there is no such guest. */
export async function guestToBill(tx: Tx, organizationId: number, guestId: number): Promise<PayerId> {
  const guest = await tx.db
    .selectFrom('guest')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', guestId)
    .executeTakeFirst()
  if (!guest) throw schedulingErrors.unknownGuest({ field: 'guest.guestId' })
  return { orgUserId: null, guestId: guest.id }
}

/** Returns a member of the organization as the payer; throws when there is no such member, or when the member was removed. */
export async function memberToBill(
  tx: Tx,
  organizationId: number,
  orgUserId: number,
  field = 'customer.orgUserId',
): Promise<PayerId> {
  const member = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!member) throw identityErrors.unknownMember({ field })
  return { orgUserId: member.id, guestId: null }
}

/**
 * Returns who pays what a member owes, and how that payer is billed: the bill-to payer who has accepted, otherwise the member. With
 * `direct` the member, whoever pays for them otherwise. A guest is neither on the ledger nor exempt from taxes.
 */
export async function payerOf(
  tx: Tx,
  organizationId: number,
  share: PayerId,
  { direct = false } = {},
): Promise<PayerOfShare> {
  const { orgUserId } = share
  const guest = { payer: share, billedFor: null, taxExempt: false, onLedger: false, autopay: false, consent: null }
  if (orgUserId === null) return { ...guest, name: '', isReachable: true }
  const { rows } = await sql<PayerFacts & { id: number; taxExempt: boolean }>`
    select p.id, p.tax_exempt as "taxExempt", p.billing_mode = 'ledger' as "onLedger",
      p.autopay and p.account_id is not null as autopay, p.search_name as name,
      p.account_id is not null or p.search_email <> '' as "isReachable",
      case when p.id <> m.id then json_build_object('ledger', m.bill_to_ledger, 'autopay', m.bill_to_autopay,
        'maxCentsPerMonth', m.bill_to_max_cents) end as consent
    from membership m
    join membership p on p.organization_id = m.organization_id
      and p.id = ${direct ? sql`m.id` : payerOfMember}
    where m.organization_id = ${organizationId} and m.id = ${orgUserId}`.execute(tx.db)
  const [found] = rows
  if (!found) return { ...guest, name: '', isReachable: true }
  const { id, ...facts } = found
  return { ...facts, payer: { orgUserId: id, guestId: null }, billedFor: id === orgUserId ? null : orgUserId }
}

/**
 * Returns whether the actor may read an invoice: its payer, admins and dispatchers may.
 * Implements interface §Reservations, visibility rule of GET /invoices/{id}.
 */
export function mayReadInvoice(actor: Actor, invoice: { membership_id: number | null }): boolean {
  return is(actor, ['owner', 'admin', 'dispatcher']) || invoice.membership_id === actor.orgUserId
}

/** Writes the lines of a new invoice, in their order. */
export async function insertItems(tx: Tx, { organizationId, id }: Invoice, lines: readonly TaxedLine[]) {
  if (lines.length === 0) return
  const rows = lines.map((line, position) => ({
    organization_id: organizationId,
    invoice_id: id,
    position,
    kind: line.kind,
    description: line.description,
    quantity_hundredths: line.quantityHundredths,
    unit: line.unit,
    unit_price: line.unitPrice,
    amount_cents: line.amountCents,
    tax_cents: line.taxCents,
  }))
  await tx.db.insertInto('invoice_item').values(rows).execute()
}
