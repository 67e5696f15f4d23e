import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'
import { monthOf } from '../../platform/kernel/windows.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import { Invoice } from '../invoices.tables.ts'
import { asksForLimit, type Charged, chargedWithoutAsking, type PayerFacts } from './payer.rules.ts'

/** Who pays a share: the person whose share it is, or the member's bill-to payer (`billedFor`: the member). */
export interface PayerOfShare extends PayerFacts {
  payer: PayerId
  billedFor: number | null
  taxExempt: boolean
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
