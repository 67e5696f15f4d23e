import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden, Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { Membership, TimeOff } from './membership.entity.ts'

export interface NewTimeOff {
  start: Date
  end: Date
  reason?: string | null | undefined
  /** The absent member; defaults to the actor. */
  orgUserId?: number | undefined
}

/**
 * Records an absence, which blocks bookings like a booking does. Desk staff may record one for any member. Existing
 * bookings stay.
 * @throws Invalid when it does not end after it starts, or names no member of the organization.
 * @throws Forbidden when it is for another member and the actor is not desk staff.
 */
export async function addTimeOff(tx: Tx, actor: Actor, input: NewTimeOff): Promise<{ id: number }> {
  const { organizationId } = actor
  const { orgUserId = actor.orgUserId, start, end, reason = null } = input
  if (orgUserId !== actor.orgUserId && !is(actor, deskStaff)) {
    throw new Forbidden('Only desk staff record the time off of others.')
  }
  if (start >= end) throw new Invalid('end: must be after start')
  if (!(await tx.em.findOne(Membership, { id: orgUserId, organizationId, removedAt: null }))) {
    throw new Invalid('orgUserId: there is no such member')
  }
  const absence = tx.em.create(TimeOff, {
    organizationId,
    membershipId: orgUserId,
    startsAt: start,
    endsAt: end,
    reason,
  })
  await tx.em.flush()
  return { id: absence.id }
}

/**
 * Deletes an absence of the actor, or of any member for desk staff.
 * @throws NotFound when the organization has no such absence.
 * @throws Forbidden when it is another member's and the actor is not desk staff.
 */
export async function deleteTimeOff(tx: Tx, actor: Actor, id: number): Promise<void> {
  const absence = await tx.em.findOne(TimeOff, { id, organizationId: actor.organizationId })
  if (!absence) throw new NotFound()
  if (absence.membershipId !== actor.orgUserId && !is(actor, deskStaff)) throw new Forbidden()
  tx.em.remove(absence)
}
