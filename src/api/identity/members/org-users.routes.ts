import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findAvailability } from '../../../shared/identity/members/availability.queries.ts'
import { findOrgUser, listOrgUsers } from '../../../shared/identity/members/org-user.queries.ts'
import { updateOrgUser } from '../../../shared/identity/members/update-org-user.ts'
import { admins, rolesOf } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { removeMember } from '../../../shared/workflows/remove-member.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Availability } from './availability.view.ts'
import { OrgUserPatch, OrgUserQuery, RemoveQuery } from './members.schemas.ts'
import { OrganizationUser, orgUserView } from './org-user.view.ts'

const tag = 'Members'

export const orgUserRoutes: Routes = (on) => {
  on.get('/orgUsers', {
    id: 'listMemberships',
    access: 'member',
    tag,
    summary: 'List the members with their memberships',
    description: 'By name. Role flags set to true include the members with any of them.',
    query: OrgUserQuery,
    answers: { 200: envelope(z.array(OrganizationUser)) },
    read: async ({ db, actor, query }) => {
      const { q, groupId } = query
      const members = await listOrgUsers(db, actor, { q, groupId, roles: rolesOf(query) })
      return page(await listPage(members, query, (row) => orgUserView(row, actor)))
    },
  })

  on.get('/orgUsers/:id', {
    id: 'readMembership',
    access: 'member',
    tag,
    summary: 'Read a membership',
    params: IdParams,
    answers: { 200: envelope(OrganizationUser) },
    read: async ({ db, actor, params }) =>
      ok(orgUserView(await findOrgUser(db, actor.organizationId, params.id), actor)),
  })

  on.patch('/orgUsers/:id', {
    id: 'updateMembership',
    access: admins,
    tag,
    edits: 'membership',
    summary: 'Change billing, rates and grounding of a member',
    description: 'What is left out stays. Who is not grounded has no reason: returning a member drops it.',
    params: IdParams,
    body: OrgUserPatch,
    answers: { 200: envelope(OrganizationUser) },
    errors: [identityErrors.notGrounded],
    write: (tx, { actor, params, body }) => updateOrgUser(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(orgUserView(await findOrgUser(db, actor.organizationId, id), actor)),
  })

  on.delete('/orgUsers/:id', {
    id: 'removeMember',
    access: admins,
    tag,
    summary: 'Remove a member',
    description:
      'Their tokens for the organization, their open invitations of roles above student, their calendar address and ' +
      'their upload forms end; past bookings keep the name. Only an owner removes an owner. While they sit on future bookings the ' +
      'answer is 409 with `details.reservations`; `cancelBookings=true` cancels those that need them and frees the ' +
      'other seats.',
    params: IdParams,
    query: RemoveQuery,
    answers: { 204: null },
    errors: [
      billingErrors.balanceOutOfBounds,
      [platformErrors.notAllowed, 'not an admin, or not an owner and the member is one'],
      identityErrors.ownersForOwners,
      identityErrors.lastOwner,
      workflowsErrors.hasBookings,
    ],
    write: (tx, { actor, params, query }) => removeMember(tx, actor, params.id, query.cancelBookings === true),
    answer: () => done(),
  })

  on.get('/orgUsers/:id/availability', {
    id: 'readMemberAvailability',
    access: 'member',
    tag,
    summary: 'Read a member’s weekly pattern',
    description: 'Empty: always available. Minutes are local ones of the organization’s zone.',
    params: IdParams,
    answers: { 200: envelope(z.array(Availability)) },
    read: async ({ db, actor, params }) => {
      const { id } = await findOrgUser(db, actor.organizationId, params.id)
      return ok(await findAvailability(db, actor.organizationId, id))
    },
  })
}
