import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { findTaken } from './displaced.queries.ts'
import type { RecoveryCause } from './recovery.types.ts'
import { type RecoveryRequest, recoveryRequest } from './recovery-request.rules.ts'

const WEEK_MS = 7 * 86_400_000

/**
 * Returns, for desk staff, the request that plans other places for the bookings of a cause, as a field of an answer; nothing when it displaces
 * none. Without a window, the cause holds for the next seven days. Implements interface §Recovery.
 */
export async function findRecoveryRequest(
  db: Db,
  actor: Actor,
  now: Date,
  cause: RecoveryCause,
  window: Interval = { start: now, end: new Date(now.getTime() + WEEK_MS) },
): Promise<{ recovery?: RecoveryRequest }> {
  if (!is(actor, deskStaff)) return {}
  const taken = await findTaken(db, { organizationId: actor.organizationId, cause, ...window }, now, 1)
  return taken.length === 0 ? {} : { recovery: recoveryRequest({ cause, ...window }) }
}
