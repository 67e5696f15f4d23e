import { identityErrors } from '../../identity/identity.errors.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { schedulingErrors } from '../../scheduling/scheduling.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'

/**
 * Returns whether a payer's invoices are charged on the ledger: the payer is a member in ledger mode.
 * @throws Invalid naming a member without an account in invoice mode who has no address to send an invoice to.
 */
export async function paysOnLedger(tx: Tx, organizationId: number, { orgUserId }: PayerId): Promise<boolean> {
  if (orgUserId === null) return false
  const member = await tx.db
    .selectFrom('membership')
    .select(['billing_mode', 'account_id', 'search_email', 'search_name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (member?.billing_mode === 'ledger') return true
  if (member?.account_id === null && member.search_email === '') {
    throw billingErrors.payerWithoutAddress({ member: member.search_name })
  }
  return false
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
export async function memberToBill(tx: Tx, organizationId: number, orgUserId: number): Promise<PayerId> {
  const member = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!member) throw identityErrors.unknownMember({ field: 'customer.orgUserId' })
  return { orgUserId: member.id, guestId: null }
}
