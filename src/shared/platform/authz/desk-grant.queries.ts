import type { Db } from '../db/database.ts'
import type { PlainError } from '../kernel/error-catalogue.ts'
import { platformErrors } from '../platform.errors.ts'
import { type Actor, is } from './actor.ts'
import { type DeskGrant, deskGrantHolders } from './desk-grants.rules.ts'
import type { Role } from './roles.ts'

/** Returns whether a member holds a desk grant. Locks the row with `lock`, so that it cannot end before the commit. */
export async function holdsDeskGrant(
  db: Db,
  { organizationId, orgUserId }: Pick<Actor, 'organizationId' | 'orgUserId'>,
  grant: DeskGrant,
  { lock = false }: { lock?: boolean | undefined } = {},
): Promise<boolean> {
  const row = await db
    .selectFrom('desk_grant')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('kind', '=', grant)
    .$if(lock, (query) => query.forShare())
    .executeTakeFirst()
  return row !== undefined
}

/** Who needs no grant (`wanted`), and the grant that is asked for. */
interface Asked {
  wanted: readonly Role[]
  grant: DeskGrant | undefined
  /** Locks the grant, so that it cannot end before the commit. */
  lock?: boolean
}

/**
 * Returns the actor, with `grant` set when the desk grant lets them in. Members with one of the wanted roles, and those
 * who cannot hold a grant, cost no read.
 * Implements interface §Desk grants.
 */
export async function withDeskGrant(db: Db, actor: Actor, { wanted, grant, lock }: Asked): Promise<Actor> {
  if (!grant || is(actor, wanted) || !is(actor, deskGrantHolders)) return actor
  return (await holdsDeskGrant(db, actor, grant, { lock })) ? { ...actor, grant } : actor
}

/** Returns the actor as `withDeskGrant` does. Refuses when neither a role nor the grant lets the actor in. */
export async function byRoleOrGrant(
  db: Db,
  actor: Actor,
  asked: Asked,
  refusal: PlainError<400 | 403 | 404> = platformErrors.notAllowed,
): Promise<Actor> {
  const admitted = await withDeskGrant(db, actor, asked)
  if (!admitted.grant && !is(actor, asked.wanted)) throw refusal()
  return admitted
}
