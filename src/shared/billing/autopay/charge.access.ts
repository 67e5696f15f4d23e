import { sql } from 'kysely'
import { lockMember } from '../../identity/members/member.access.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { monthOf } from '../../platform/kernel/windows.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { consentsTo } from '../invoices/payer.queries.ts'
import { type ChargeChange, type ChargeToStart, stoppable } from './autopay.states.ts'

/** One attempt to charge an invoice. */
export interface Attempt {
  organizationId: number
  invoiceId: number
  attempt: number
}

/** A locked charge with its payer. The payer is locked too, because the daily limit is per payer. Money in cents. */
export interface LockedCharge extends ChargeToStart {
  consents: boolean
  consentedAt: Date
  maxCents: Cents
  /** The sum of the payer's other charges that count towards the limit of today, in the organization's zone. */
  chargedTodayCents: Cents
  customer: { key: string; gatewayCustomerId: string | null }
}

/**
 * Locks the payer, then the charge of an invoice, and returns both; null when the invoice is not charged automatically. Two jobs for
 * one payer run one after the other, so that the second counts the amount of the first. The caller holds the lock of the invoice.
 */
export async function lockCharge(tx: Tx, { organizationId, invoiceId }: Attempt): Promise<LockedCharge | null> {
  const { rows: payers } = await sql<{ zone: string; raisedAt: Date }>`
    select o.time_zone_name as zone, i.created_at as "raisedAt" from membership m
    join autopay_charge c on c.organization_id = m.organization_id and c.membership_id = m.id
    join invoice i on i.organization_id = c.organization_id and i.id = c.invoice_id
    join organization o on o.id = m.organization_id
    where c.organization_id = ${organizationId} and c.invoice_id = ${invoiceId} for no key update of m`.execute(tx.db)
  const [payer] = payers
  if (!payer) return null
  const today = localDate(tx.now, payer.zone)
  const consents = consentsTo('autopay', monthOf(payer.raisedAt, payer.zone))
  const { rows } = await sql<
    Omit<LockedCharge, 'customer' | 'today'> & { key: string; gatewayCustomerId: string | null }
  >`
    select c.state, c.attempts, c.not_before as "notBefore", c.first_declined_at as "firstDeclinedAt",
      m.autopay and m.account_id is not null and m.removed_at is null and ${consents} as consents,
      coalesce(m.autopay_at, m.created_at) as "consentedAt", m.autopay_max_cents as "maxCents",
      (select coalesce(sum(x.amount_cents), 0)::int from autopay_charge x
        where x.organization_id = c.organization_id and x.membership_id = c.membership_id and x.id <> c.id
          and x.counted_on = ${today}::date) as "chargedTodayCents",
      m.gateway_key as key, p.customer_id as "gatewayCustomerId"
    from autopay_charge c
    join membership m on m.organization_id = c.organization_id and m.id = c.membership_id
    join invoice i on i.organization_id = c.organization_id and i.id = c.invoice_id
    left join gateway_customer p on p.organization_id = c.organization_id and p.membership_id = c.membership_id
      and p.gateway_account is not distinct from i.gateway_account
    where c.organization_id = ${organizationId} and c.invoice_id = ${invoiceId} for update of c`.execute(tx.db)
  const [row] = rows
  if (!row) return null
  const { key, gatewayCustomerId, ...charge } = row
  return { ...charge, today, customer: { key, gatewayCustomerId } }
}

/**
 * Stops the planned, running and declined charges of a payer who no longer consents. The amount of a running charge still counts
 * towards the day's limit. Locks the payer first, as `lockCharge` does.
 */
export async function stopCharges(tx: Tx, of: { organizationId: number; orgUserId: number }): Promise<void> {
  await lockMember(tx, of)
  await tx.db
    .updateTable('autopay_charge')
    .set({ state: 'stopped' })
    .where('organization_id', '=', of.organizationId)
    .where('membership_id', '=', of.orgUserId)
    .where('state', 'in', stoppable)
    .execute()
}

/** Writes changes to a charge that the caller has locked. */
export async function changeCharge(
  tx: Tx,
  { organizationId, invoiceId }: Pick<Attempt, 'organizationId' | 'invoiceId'>,
  { state, attempts, counted, firstDeclinedAt }: ChargeChange,
): Promise<void> {
  await tx.db
    .updateTable('autopay_charge')
    .set({
      state,
      ...(attempts !== undefined && { attempts }),
      ...(counted !== undefined && { amount_cents: counted?.cents ?? null, counted_on: counted?.on ?? null }),
      ...(firstDeclinedAt && { first_declined_at: firstDeclinedAt }),
    })
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', invoiceId)
    .execute()
}
