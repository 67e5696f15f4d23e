import { notifyOwnersOfControl } from '../billing/ledger/notify-owners.ts'
import { notifyOwners } from '../identity/members/notify-owners.ts'
import { type OrganizationChanges, updateOrganization } from '../identity/organizations/update-organization.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Changes an organization. All owners are mailed when a setting that protects money becomes less strict, or when overrides no
 * longer need the paper that was seen, whoever changes it.
 * Implements interface §Organizations, PATCH /organizations.
 */
export async function changeOrganization(tx: Tx, actor: Actor, changes: OrganizationChanges): Promise<{ id: number }> {
  const { id, loosened, papersWaived } = await updateOrganization(tx, actor, changes)
  if (papersWaived) await notifyOwners(tx, actor, 'papers_waived', {})
  for (const one of loosened) await notifyOwnersOfControl(tx, actor, one)
  return { id }
}
