import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { lockOrganization } from './lock-organization.ts'

/**
 * Deletes the organization. Every record in it goes with it, owed jobs and stored answers included; the accounts of
 * its members stay.
 */
export async function deleteOrganization(tx: Tx, actor: Actor): Promise<void> {
  const { id } = await lockOrganization(tx, actor.organizationId)
  await tx.db.deleteFrom('idempotency_key').where('organization_id', '=', id).execute()
  await tx.db.deleteFrom('organization').where('id', '=', id).execute()
}
