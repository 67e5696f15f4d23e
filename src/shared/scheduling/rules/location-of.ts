import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'

/**
 * Returns the given location, else the resource's.
 * @throws Invalid when it is not the organization's.
 */
export async function locationOf(
  db: Db,
  actor: Actor,
  asked: number | null,
  ofResource: number | null,
): Promise<number | null> {
  if (asked === null || asked === ofResource) return ofResource
  const found = await db
    .selectFrom('location')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', asked)
    .executeTakeFirst()
  if (!found) throw new Invalid('location.id: there is no such location')
  return asked
}
