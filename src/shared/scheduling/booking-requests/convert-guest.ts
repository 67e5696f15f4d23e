import { LockMode } from '@mikro-orm/core'
import { inviteMember } from '../../identity/organizations/invite-member.ts'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { deskStaff, roleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { BookingRequest } from './booking-request.entity.ts'

/**
 * Invites the guest of an approved request to become a student or renter; again once the invitation has expired.
 * Implements interface §Booking requests (convert).
 * @throws NotFound when the organization has no such request.
 * @throws Forbidden in a demo organization.
 * @throws Invalid for a member's request, and for an address that cannot be invited.
 * @throws Conflict NOT_APPROVED when the request is not approved.
 * @throws Conflict ALREADY_EXISTS when the guest is invited or a member already.
 */
export async function convertGuest(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  id: number,
  role: 'student' | 'renter',
): Promise<{ id: number }> {
  const { organizationId } = actor
  if (actor.organization.demo) throw new Forbidden('A demo organization invites nobody.')
  const request = await tx.em.findOne(BookingRequest, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!request) throw new NotFound('There is no such booking request.')
  const { guestEmail: email, guestName: name } = request
  if (!email) throw new Invalid('Only a public guest can be invited; a member made this request.')
  if (request.status !== 'approved') throw new Conflict('Please approve the request first.', 'NOT_APPROVED')
  await reportInvitationConflict(
    inviteMember(tx, mailTokens, actor, { email, name, ...roleFlags({ [role]: true }) }, deskStaff),
  )
  request.invitedAt = tx.now
  return { id }
}

/** Returns the address of a guest's request; null for a member's request or one of another organization. */
export async function findEmailOfGuest(db: Db, organizationId: number, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('booking_request')
    .select('guest_email')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.guest_email ?? null
}

/** Reports an address that cannot be invited as a problem of this request, since the caller sends no address. */
async function reportInvitationConflict(invitation: Promise<unknown>): Promise<void> {
  try {
    await invitation
  } catch (error) {
    if (!(error instanceof Invalid) || error.code !== 'ALREADY_EXISTS') throw error
    throw new Conflict('The guest is invited already, or a member.', 'ALREADY_EXISTS')
  }
}
