import { notifyOwnersOfControl } from '../billing/ledger/notify-owners.ts'
import { type OrganizationChanges, updateOrganization } from '../identity/organizations/update-organization.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Changes an organization. All owners are mailed when a setting that protects money becomes less strict, whoever changes it.
 * Implements interface §Organizations, PATCH /organizations.
 */
export async function changeOrganization(tx: Tx, actor: Actor, changes: OrganizationChanges): Promise<{ id: number }> {
  const { id, loosened } = await updateOrganization(tx, actor, changes)
  for (const one of loosened) await notifyOwnersOfControl(tx, actor, one)
  return { id }
}
