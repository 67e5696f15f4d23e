import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { acceptInvitation } from '../../../shared/identity/joining/accept-invitation.ts'
import {
  findInvitation,
  findInvitationByToken,
  listInvitations,
} from '../../../shared/identity/joining/invitation.queries.ts'
import { inviteMember, withdrawInvitation } from '../../../shared/identity/joining/invite-member.ts'
import { findAddressOf } from '../../../shared/identity/members/managed-member.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { TokenBody } from '../accounts/accounts.schemas.ts'
import { AuthEnvelope, authEnvelope } from '../accounts/auth-envelope.ts'
import { InviteBody } from '../organizations/organizations.schemas.ts'
import { Invitation, invitationView, OpenInvitation, openInvitationView } from './invitation.view.ts'

const tag = 'Organizations'

export const invitationRoutes: Routes = (on) => {
  on.post('/organizations/invite', {
    id: 'inviteMember',
    access: admins,
    grant: 'registrar',
    verified: true,
    tag,
    summary: 'Invite a person',
    description:
      'Mails a link, valid for 14 days, that grants the given roles when it is accepted; without a role flag it ' +
      'grants student. Invitations with `orgUserId`, and those to owner, admin, dispatcher or instructor, can be ' +
      'accepted only by the invited address, and end when the sender is no longer an admin. A registrar invites ' +
      'students and renters; a managed member with bookings, money, documents, currencies or training only at the ' +
      'stored address.\n\nLimits (429 with `Retry-After`): 60 invitations per hour and 200 per day for an ' +
      'organization and for an account, and three per day to one address from all organizations.',
    body: InviteBody,
    answers: { 204: null },
    errors: [
      platformErrors.addressInvited,
      identityErrors.isMember,
      identityErrors.unknownMember,
      identityErrors.hasAccount,
      identityErrors.rolesOfMember,
      identityErrors.addressNeeded,
      identityErrors.registrarLimits,
      identityErrors.addressForAdmins,
      [platformErrors.notAllowed, 'only admins may do this, and only owners grant `owner`'],
      identityErrors.ownersForOwners,
    ],
    rateLimit: {
      invite: async ({ body, actor, db }) =>
        body.email ?? (body.orgUserId === undefined ? null : findAddressOf(db, actor.organizationId, body.orgUserId)),
    },
    write: (tx, { actor, body, services }) => inviteMember(tx, services.mailTokens, actor, body),
    answer: () => done(),
  })

  on.get('/organizations/invitations', {
    id: 'listInvitations',
    access: admins,
    tag,
    summary: 'List the open invitations',
    description: 'Lists the invitations that nobody has accepted, newest first. Expired ones are included.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Invitation)) },
    read: async ({ db, actor, query, now }) =>
      page(await listPage(listInvitations(db, actor.organizationId), query, (row) => invitationView(row, now))),
  })

  on.get('/organizations/invitations/:id', {
    id: 'readInvitation',
    access: admins,
    tag,
    summary: 'Read an invitation',
    description: 'Returns an invitation, also when it is expired or accepted.',
    params: IdParams,
    answers: { 200: envelope(Invitation) },
    read: async ({ db, actor, params, now }) =>
      ok(invitationView(await findInvitation(db, actor.organizationId, params.id), now)),
  })

  on.delete('/organizations/invitations/:id', {
    id: 'withdrawInvitation',
    access: admins,
    tag,
    summary: 'Withdraw an invitation',
    description: 'Deletes the invitation; its link stops working.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => withdrawInvitation(tx, actor, params.id),
    answer: () => done(),
  })

  on.query('/organizations/invitations/lookup', {
    id: 'lookUpInvitation',
    access: 'anyone',
    tag,
    summary: 'Read an invitation by its mailed token',
    description:
      'Returns the organization, the invited roles, and whether the address already has an account. For an invitation ' +
      'to a managed membership it returns the organization only. The token stays usable.',
    body: TokenBody,
    answers: { 200: envelope(OpenInvitation) },
    errors: [identityErrors.invitationUsed],
    read: async ({ db, body, services, now }) =>
      ok(openInvitationView(await findInvitationByToken(db, services.mailTokens, body.token, now))),
  })

  on.post('/organizations/invitations/accept', {
    id: 'acceptInvitation',
    access: 'account',
    tag,
    summary: 'Accept an invitation',
    description:
      'Joins the organization and makes it the active one. New accounts send `invitationToken` to `POST /users` ' +
      'instead.\n\nThe token proves that the caller owns the invited address. An account with another address must be ' +
      'verified, and cannot accept invitations to a managed membership or to owner, admin, dispatcher or ' +
      'instructor. When the invited address was not verified before, all earlier access to the account ends, ' +
      'including its password: a link to set a new one is mailed, and only the token of this answer is valid.',
    body: TokenBody,
    answers: { 200: envelope(AuthEnvelope) },
    errors: [
      identityErrors.invitationUsed,
      identityErrors.joinedBefore,
      identityErrors.mergeInstead,
      identityErrors.invitationNotYours,
      identityErrors.claimForAdmins,
      [platformErrors.emailNotVerified, 'when the address is not the invited one'],
    ],
    secret: true,
    write: (tx, { account, body, services }) =>
      acceptInvitation(tx, services.mailTokens, account.accountId, body.token),
    answer: async (who, { services, account }) => ok(await authEnvelope(services, who, account)),
  })
}
