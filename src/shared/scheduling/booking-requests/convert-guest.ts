import { inviteMember } from '../../identity/joining/invite-member.ts'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { deskStaff, roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { lockRequest } from './booking-request.access.ts'

/**
 * Invites the guest of an approved request to become a student or renter. Can be repeated when the invitation has expired.
 * Implements interface §Booking requests (convert).
 */
export async function convertGuest(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  id: number,
  role: 'student' | 'renter',
): Promise<{ id: number }> {
  if (actor.organization.demo) throw schedulingErrors.noInvitationsInDemo()
  const request = await lockRequest(tx, actor, id)
  const { guestEmail: email, guestName: name } = request
  if (!email) throw schedulingErrors.requestOfMember()
  if (request.status !== 'approved') throw schedulingErrors.requestNotApproved()
  await reportInvitationConflict(
    inviteMember(tx, mailTokens, actor, { email, name, ...roleFlags({ [role]: true }) }, deskStaff),
  )
  request.invitedAt = tx.now
  return { id }
}

/** The refusals of an invitation that say so of the address. */
const taken = new Set<string | undefined>(['ALREADY_INVITED', 'ALREADY_MEMBER'])

/**
 * Reports an email that is invited already or belongs to a member as a conflict of this request, because the caller did not
 * send an email.
 */
async function reportInvitationConflict(invitation: Promise<unknown>): Promise<void> {
  try {
    await invitation
  } catch (error) {
    if (!(error instanceof Invalid) || !taken.has(error.code)) throw error
    throw schedulingErrors.guestInvited()
  }
}
