import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden, Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { Membership, TimeOff } from './membership.entity.ts'

export interface NewTimeOff {
  start: Date
  end: Date
  reason?: string | null | undefined
  /** Whose; one's own when left out. */
  orgUserId?: number | undefined
}

/**
 * Records an absence, which blocks like a booking. Desk staff may record anybody's. Bookings made before stay as
 * they are.
 * @throws Invalid when it ends before it begins or names nobody of the organization; Forbidden for somebody else's.
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

/** Takes an absence back: one's own, or anybody's for desk staff. @throws NotFound; Forbidden for somebody else's. */
export async function deleteTimeOff(tx: Tx, actor: Actor, id: number): Promise<void> {
  const absence = await tx.em.findOne(TimeOff, { id, organizationId: actor.organizationId })
  if (!absence) throw new NotFound()
  if (absence.membershipId !== actor.orgUserId && !is(actor, deskStaff)) throw new Forbidden()
  tx.em.remove(absence)
}
