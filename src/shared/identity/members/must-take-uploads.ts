import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import { mustHaveFormsLeft } from '../../platform/storage/upload-forms.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import { mustStillBe } from './must-still-be.ts'

/**
 * Lets an actor arrange so many uploads: behind the organization's lock, so that neither a role that is being taken
 * away nor another upload at the same moment is overlooked.
 * @throws Forbidden in a demo organization, which strangers share, and for who has none of the roles any more
 * @throws TooManyRequests when too many would be open
 */
export async function mustTakeUploads(
  tx: Tx,
  actor: Actor,
  count: number,
  by: readonly Role[] | 'member',
): Promise<void> {
  if (actor.organization.demo) throw new Forbidden('Uploads are off in a demo organization.')
  await lockOrganization(tx, actor.organizationId)
  await mustStillBe(tx, actor, by)
  await mustHaveFormsLeft(tx, actor.organizationId, count)
}
