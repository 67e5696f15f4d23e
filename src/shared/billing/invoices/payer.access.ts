import { sql } from 'kysely'
import { payerOfMember } from '../../identity/members/payer.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'
import { monthOf } from '../../platform/kernel/windows.ts'
import { billingErrors } from '../billing.errors.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import { Invoice } from '../invoices.tables.ts'
import { asksForLimit, type Charged, chargedWithoutAsking, type PayerFacts } from './payer.rules.ts'

/** Who pays a share: the person whose share it is, or the member's bill-to payer (`billedFor`: the member). */
export interface PayerOfShare extends PayerFacts {
  payer: PayerId
  billedFor: number | null
  taxExempt: boolean
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
      and p.id = ${direct ? sql`m.id` : payerOfMember('m')}
    where m.organization_id = ${organizationId} and m.id = ${orgUserId}`.execute(tx.db)
  const [found] = rows
  if (!found) return { ...guest, name: '', isReachable: true }
  const { id, ...facts } = found
  return { ...facts, payer: { orgUserId: id, guestId: null }, billedFor: id === orgUserId ? null : orgUserId }
}

/** Returns what an invoice of a total in cents charges its payer without asking. */
export async function chargesOf(
  tx: Tx,
  { organizationId, organization: { timeZoneName: zone } }: Actor,
  { payer, billedFor, ...facts }: PayerOfShare,
  { asked, totalCents }: { asked: boolean; totalCents: Cents },
): Promise<Charged> {
  const isLimited = billedFor !== null && payer.orgUserId !== null && asksForLimit(facts)
  const of = { payerId: payer.orgUserId ?? 0, billedFor: billedFor ?? 0 }
  const billedCents = isLimited ? await lockBilledThisMonth(tx, { organizationId, zone }, of) : ZERO
  return chargedWithoutAsking(facts, { asked, totalCents, billedCents })
}

/** Checks that a payer who is asked to pay has an account or an address. */
export function assertIsReachable({ isReachable, name }: PayerFacts): void {
  if (!isReachable) throw billingErrors.payerWithoutAddress({ member: name })
}

/**
 * Returns the sum in cents of the invoices of this local month that a payer has for a member, less what was credited. Invoices of an
 * organization for which it is asked run one after the other until the commit, so that none is left out.
 */
async function lockBilledThisMonth(
  tx: Tx,
  { organizationId, zone }: { organizationId: number; zone: string },
  { payerId, billedFor }: { payerId: number; billedFor: number },
): Promise<Cents> {
  // The lock of the invoice numbers, which is taken before that of an account everywhere.
  await sql`select from organization where id = ${organizationId} for no key update`.execute(tx.db)
  const { start } = monthOf(tx.now, zone)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(total_cents - credited_cents), 0)::float8 as total from invoice
    where organization_id = ${organizationId} and billed_for_id = ${billedFor} and membership_id = ${payerId}
      and created_at >= ${start} and invoice_stands(status, total_cents, credited_cents)`.execute(tx.db)
  return cents(rows[0]!.total)
}

/** Returns the invoices that one of two members pays for the other. */
export function findBilledBetween(
  tx: Tx,
  { organizationId, from, into }: { organizationId: number; from: number; into: number },
): Promise<Invoice[]> {
  const between = [
    { membershipId: from, billedForId: into },
    { membershipId: into, billedForId: from },
  ]
  return tx.em.find(Invoice, { organizationId, $or: between })
}
