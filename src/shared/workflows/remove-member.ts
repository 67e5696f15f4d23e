import { assertIsNotLastOwner } from '../identity/members/end-membership.ts'
import { assertIsOwner, findMember } from '../identity/members/member.access.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import { lockMembers } from '../scheduling/reservations/slots.access.ts'
import { findOut, lockBookingsAhead } from './bookings-ahead.access.ts'
import { endMember } from './end-member.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** The removed member, and who pays for themself again. */
export interface Removed {
  id: number
  name: string
  warnings: Sentence[]
}

/**
 * Removes a member by orgUserId. A flight that is out prevents the removal. Future bookings prevent it too, unless `cancelBookings` is
 * set: then they are cancelled or lose the member's seat. The member's documents are deleted with their stored files, except those that
 * must be kept by law.
 * Implements interface §Members, DELETE /orgUsers/{id}.
 */
export async function removeMember(tx: Tx, actor: Actor, id: number, cancelBookings: boolean): Promise<Removed> {
  const { organizationId } = actor
  await lockMembers(tx.db, [id])
  const organization = await lockOrganization(tx, organizationId)
  const member = await findMember(tx, organizationId, { id })
  if (member.owner) await assertIsOwner(tx, actor)
  await assertIsNotLastOwner(tx, member, organization)
  const leaving = { organizationId, orgUserId: id }
  const out = await findOut(tx.db, leaving)
  if (out.length > 0) throw workflowsErrors.memberIsOut({}, { reservations: out })
  const bookings = await lockBookingsAhead(tx, leaving)
  if (bookings.length > 0 && !cancelBookings) {
    throw workflowsErrors.hasBookings(
      { bookings: bookings.length },
      {
        reservations: bookings.map(({ reservation: { id: reservationId, title, type, startsAt, endsAt } }) => ({
          id: reservationId,
          title,
          type,
          start: startsAt.toISOString(),
          end: endsAt.toISOString(),
        })),
      },
    )
  }
  const payees = await endMember(tx, actor, member, bookings)
  const { searchName: name = '' } = member
  return { id, name, warnings: payees.map((payee) => workflowsErrors.payerGone({ member: payee.searchName ?? '' })) }
}
