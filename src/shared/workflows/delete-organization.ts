import { closeAllAtGateway } from '../billing/invoices/close-all-at-gateway.ts'
import { lockOrganization } from '../identity/organizations/lock-organization.ts'
import { clearQueues } from '../identity/organizations/organizations.jobs.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { dropEverythingOf } from '../platform/storage/uploads.ts'

/**
 * Deletes the organization. Every record in it goes with it, owed jobs and stored answers included; stored files,
 * what waits in the queues and what can be paid at the payment processor go by jobs. The accounts of its members stay.
 */
export async function deleteOrganization(tx: Tx, actor: Actor): Promise<void> {
  const { id } = await lockOrganization(tx, actor.organizationId)
  await closeAllAtGateway(tx, id)
  await tx.db.deleteFrom('idempotency_key').where('organization_id', '=', id).execute()
  await tx.db.deleteFrom('organization').where('id', '=', id).execute()
  dropEverythingOf(tx, id)
  tx.enqueue(clearQueues, { deletedOrganizationId: id })
}
