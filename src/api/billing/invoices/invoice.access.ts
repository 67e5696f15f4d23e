import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { mayReadInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { findInvoice, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Services } from '../../http/services.ts'

/**
 * Returns one invoice that the actor may read.
 * @throws NotFound when there is none.
 */
export async function findReadableInvoice(
  { database }: Services,
  actor: Actor,
  id: number,
  now: Date,
): Promise<InvoiceRow> {
  const row = await findInvoice(database, actor.organizationId, id, now)
  if (!row || !mayReadInvoice(actor, row)) throw billingErrors.noSuchInvoice()
  return row
}

/**
 * Checks that the actor may list the invoices of a member: their own, or for admins those of any member.
 * Implements interface §Invoices (status 400).
 */
export async function assertOwnOrAdmin({ database }: Services, actor: Actor, orgUserId: number): Promise<void> {
  if (orgUserId === actor.orgUserId) return
  const member = await database.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (!member) throw identityErrors.noSuchMember()
  if (!is(actor, admins)) throw billingErrors.notYourInvoices()
}
