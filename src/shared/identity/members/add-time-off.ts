import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { findAbsentMember } from './availability.queries.ts'
import { assertIsMember } from './member.access.ts'

export interface NewTimeOff {
  start: Date
  end: Date
  reason?: string | null | undefined
  /** The absent member; defaults to the actor. */
  orgUserId?: number | undefined
}

/**
 * Records an absence, which blocks new bookings like a booking does. Desk staff may record one for any member.
 * Existing bookings stay.
 * Implements interface §Members, POST /availability/timeOff.
 */
export async function addTimeOff(tx: Tx, actor: Actor, input: NewTimeOff): Promise<{ id: number }> {
  const { organizationId } = actor
  const { orgUserId = actor.orgUserId, start, end, reason = null } = input
  if (orgUserId !== actor.orgUserId && !is(actor, deskStaff)) {
    throw identityErrors.timeOffOfOthers()
  }
  if (start >= end) throw identityErrors.endBeforeStart()
  await assertIsMember(tx, actor, orgUserId, 'orgUserId')
  return tx.db
    .insertInto('time_off')
    .values({ organization_id: organizationId, membership_id: orgUserId, starts_at: start, ends_at: end, reason })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/**
 * Deletes an absence. Desk staff may delete the absences of all members; other members only their own.
 * Implements interface §Members, DELETE /availability/timeOff/{id}.
 */
export async function deleteTimeOff(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { organizationId, orgUserId } = actor
  const absent = await findAbsentMember(tx.db, organizationId, id)
  if (absent !== orgUserId && !is(actor, deskStaff)) throw platformErrors.notAllowed()
  await tx.db.deleteFrom('time_off').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}
