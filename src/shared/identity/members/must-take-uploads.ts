import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import { mustHaveFormsLeft } from '../../platform/storage/upload-forms.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import { mustStillBe } from './must-still-be.ts'

/**
 * Ensures that an actor may open `count` upload forms. It takes the organization's lock, so that it sees concurrent
 * role changes and uploads.
 * @throws Forbidden in a demo organization, or when the actor no longer has one of the roles.
 * @throws TooManyRequests when too many upload forms would be open.
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
