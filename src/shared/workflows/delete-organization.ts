import { closeAllAtGateway } from '../billing/invoices/close-all-at-gateway.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import { Organization } from '../identity/organizations/organization.entity.ts'
import { clearQueues } from '../identity/organizations/organizations.jobs.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { dropEverythingOf } from '../platform/storage/uploads.ts'

/**
 * Deletes the organization with every record in it, outbox entries and idempotency keys included. Jobs delete its
 * stored files and queued jobs, and close its payable invoices at the payment gateway. The accounts of its members
 * remain.
 * Implements interface §Organizations, DELETE /organizations.
 */
export async function deleteOrganization(tx: Tx, actor: Actor): Promise<void> {
  const { id } = await lockOrganization(tx, actor.organizationId)
  await closeAllAtGateway(tx, id)
  await tx.db.deleteFrom('idempotency_key').where('organization_id', '=', id).execute()
  await tx.em.nativeDelete(Organization, { id })
  dropEverythingOf(tx, id)
  tx.enqueue(clearQueues, { deletedOrganizationId: id })
}
