import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { acceptInvitation } from '../../../shared/identity/joining/accept-invitation.ts'
import { findInvitationByToken, listInvitations } from '../../../shared/identity/joining/invitation.queries.ts'
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
    verified: true,
    tag,
    summary: 'Invite somebody',
    description:
      'Mails a link that grants the roles when it is accepted, a student’s when none is named. It is open for 14 days. ' +
      'At most 60 an hour and 200 a day of an organization and of an account, and three a day to one address over all: ' +
      '429 with `Retry-After`. Names hold no web addresses. With `orgUserId` the account that accepts takes over that ' +
      'managed member with its roles and all its history; role flags beside it are 400. Another `email` than the member’s ' +
      'becomes the member’s. Such an invitation, and one to owner, admin, dispatcher or instructor, is for the invited address ' +
      'alone, and ends when who sent it is no longer an admin.',
    body: InviteBody,
    answers: { 204: null },
    errors: [
      platformErrors.addressInvited,
      identityErrors.isMember,
      identityErrors.unknownMember,
      identityErrors.hasAccount,
      identityErrors.rolesOfMember,
      identityErrors.addressNeeded,
      platformErrors.memberAddressTaken,
      [platformErrors.notAllowed, 'not an admin, or not an owner and `owner` is given'],
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
    summary: 'List the invitations that nobody has accepted',
    description: 'Newest first, those that have run out too.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Invitation)) },
    read: async ({ db, actor, query, now }) =>
      page(await listPage(listInvitations(db, actor.organizationId), query, (row) => invitationView(row, now))),
  })

  on.delete('/organizations/invitations/:id', {
    id: 'withdrawInvitation',
    access: admins,
    tag,
    summary: 'Withdraw an invitation',
    description: 'Its link no longer works.',
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
      'Who invites as what, and whether the address has an account already; of an invitation to a managed membership the ' +
      'organization alone. Nothing is used up.',
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
      'With an account that exists; a new one hands `invitationToken` to `POST /users`. Holding the mail proves the ' +
      'invited address; an account with another address must be verified, and accepts no ' +
      'invitation to a managed membership or a role of staff. When the address was not proved before, ' +
      'whatever the account held ends first, its password too: a link for a new one is mailed, and only the token of ' +
      'this answer goes on. It becomes the active organization.',
    body: TokenBody,
    answers: { 200: envelope(AuthEnvelope) },
    errors: [
      identityErrors.invitationUsed,
      identityErrors.youAreMember,
      identityErrors.mergeInstead,
      identityErrors.invitationNotYours,
      [platformErrors.emailNotVerified, 'when the address is not the invited one'],
    ],
    secret: true,
    write: (tx, { account, body, services }) =>
      acceptInvitation(tx, services.mailTokens, account.accountId, body.token),
    answer: async (who, { services, account }) => ok(await authEnvelope(services, who, account)),
  })
}
