import { type Actor, mustBe } from '../../platform/authz/actor.ts'
import { type Role, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'

/**
 * Rereads the actor's roles under the organization's lock: they were read when the request arrived and may have been
 * removed since.
 * @throws Forbidden when the actor is no longer a member or has none of the roles.
 */
export async function mustStillBe(
  tx: Tx,
  actor: Actor,
  wanted: readonly Role[] | 'member',
  message?: string,
): Promise<void> {
  const stored = await tx.db
    .selectFrom('membership')
    .select(roles)
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', actor.orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!stored) throw new Forbidden(message)
  if (wanted !== 'member') mustBe({ ...actor, roles: roleFlags(stored) }, wanted, message)
}

/**
 * Ensures that the actor is still an owner: only an owner grants or removes `owner`. The caller holds the
 * organization's lock.
 * @throws Forbidden when the actor is not an owner.
 */
export async function mustBeOwner(tx: Tx, actor: Actor): Promise<void> {
  await mustStillBe(tx, actor, ['owner'], 'Only an owner makes or removes an owner.')
}
