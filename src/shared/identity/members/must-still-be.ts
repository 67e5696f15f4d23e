import { type Actor, mustBe } from '../../platform/authz/actor.ts'
import { type Role, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'

/**
 * Asks again, behind the organization's lock, whether the actor has one of the roles, or is a member at all: that was
 * read when the request came in, and may have been taken away since.
 * @throws Forbidden
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
 * Only an owner gives or takes `owner`, by whatever way; ask behind the organization's lock, so that an owner who is
 * just losing the role does not.
 * @throws Forbidden
 */
export async function mustBeOwner(tx: Tx, actor: Actor): Promise<void> {
  await mustStillBe(tx, actor, ['owner'], 'Only an owner makes or removes an owner.')
}
