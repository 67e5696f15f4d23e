import { sql } from 'kysely'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { TaxTerms } from '../../identity/organizations/taxes.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { schedulingErrors } from '../../scheduling/scheduling.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import type { Invoice } from './invoice.entity.ts'

/** How a payer is billed. */
export interface PayerTerms {
  /** Whether invoices are charged on the ledger: the payer is a member in ledger mode. */
  onLedger: boolean
  taxExempt: boolean
  /** Whether the payer, who has an account, has invoices charged to a card. */
  autopay: boolean
}

/**
 * Returns how a payer is billed. A guest is neither on the ledger nor exempt from taxes. `paid`: nothing has to be sent.
 * @throws Invalid naming a member without an account in invoice mode who has no address to send an invoice to.
 */
export async function termsOfPayer(
  tx: Tx,
  organizationId: number,
  { orgUserId }: PayerId,
  paid: boolean,
): Promise<PayerTerms> {
  if (orgUserId === null) return { onLedger: false, taxExempt: false, autopay: false }
  const member = await tx.db
    .selectFrom('membership')
    .select(['billing_mode', 'tax_exempt', 'autopay', 'account_id', 'search_email', 'search_name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  const taxExempt = member?.tax_exempt ?? false
  if (member?.billing_mode === 'ledger') return { onLedger: true, taxExempt, autopay: false }
  if (!paid && member?.account_id === null && member.search_email === '') {
    throw billingErrors.payerWithoutAddress({ member: member.search_name })
  }
  return { onLedger: false, taxExempt, autopay: member?.account_id != null && member.autopay }
}

/**
 * Returns what decides the taxes of an invoice's lines when they are replaced: the organization's rates of today, and the
 * location of its flight.
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

/**
 * Returns a guest of the organization as the payer.
 * @throws Invalid when there is no such guest.
 */
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

/**
 * Returns a member of the organization as the payer.
 * @throws Invalid when there is no such member, or the member has left.
 */
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
