import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { mayReadInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { findInvoice, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Call } from '../../http/endpoint.ts'

/** Returns one invoice that the caller may read: as `mayReadInvoice`, or with the grant `cashier`. */
export async function findReadableInvoice(
  { services, actor, asAdmin }: Pick<Call<'member'>, 'services' | 'actor' | 'asAdmin'>,
  id: number,
  now: Date,
): Promise<InvoiceRow> {
  const row = await findInvoice(services.database, actor.organizationId, id, now)
  if (!row) throw billingErrors.noSuchInvoice()
  if (!mayReadInvoice(actor, row)) await asAdmin(billingErrors.noSuchInvoice)
  return row
}

/**
 * Checks that the actor may list the invoices of a member: their own, or for admins and cashiers those of any member.
 * Implements interface §Invoices (status 400).
 */
export async function assertOwnOrAdmin(
  { services, actor, asAdmin }: Pick<Call<'member'>, 'services' | 'actor' | 'asAdmin'>,
  orgUserId: number,
): Promise<void> {
  if (orgUserId === actor.orgUserId) return
  const member = await services.database.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (!member) throw identityErrors.noSuchMember()
  await asAdmin(billingErrors.notYourInvoices)
}
