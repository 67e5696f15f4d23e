import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findAvailability } from '../../../shared/identity/members/availability.queries.ts'
import { findOrgUser, listOrgUsers, type OrgUserRow } from '../../../shared/identity/members/org-user.queries.ts'
import { createManagedMember, mustHaveRoomForMembers } from '../../../shared/identity/profiles/create-managed-member.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, roleFlags, rolesOf, staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { isStudentOf } from '../../../shared/training/enrollments/students.queries.ts'
import { updateMember } from '../../../shared/workflows/change-roles.ts'
import { removeMember } from '../../../shared/workflows/remove-member.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Availability } from './availability.view.ts'
import { OrgUserBody, OrgUserPatch, OrgUserQuery, RemoveQuery } from './members.schemas.ts'
import { OrganizationUser, orgUserView } from './org-user.view.ts'
import { notesReading } from './wide-reading.ts'

const tag = 'Members'

export const orgUserRoutes: Routes = (on) => {
  on.get('/orgUsers', {
    id: 'listMemberships',
    access: 'member',
    tag,
    summary: 'List the members with their memberships',
    description:
      'By name. Role flags set to true include the members with any of them. `instructorOrgUserId` is for staff, `removed` for owners.',
    query: OrgUserQuery,
    answers: { 200: envelope(z.array(OrganizationUser)) },
    errors: [[platformErrors.notAllowed, 'not staff, with `instructorOrgUserId`, or not an owner, with `removed`']],
    read: async ({ db, actor, now, query, services }) => {
      const { q, groupId, instructorOrgUserId: of, removed = false } = query
      if (of !== undefined && !is(actor, staff)) throw platformErrors.notAllowed()
      if (removed && !actor.roles.owner) throw platformErrors.notAllowed()
      const instructor = of === 'me' ? actor.orgUserId : of
      const among = instructor === undefined ? undefined : isStudentOf(actor.organizationId, instructor, now)
      const members = await listOrgUsers(db, actor, { q, groupId, roles: rolesOf(query), among, removed })
      const note = notesReading({ actor, services, now })
      const view = (row: OrgUserRow) => {
        note(row.id)
        return orgUserView(row, actor)
      }
      return page(await listPage(members, query, view))
    },
  })

  on.post('/orgUsers', {
    id: 'createManagedMember',
    access: admins,
    tag,
    summary: 'Add a member without an account',
    description:
      'A managed member: `user.id` is null, and nobody is mailed. It can be booked, billed, endorsed, enrolled and approved like ' +
      'any other. No role flag means student; `owner` and `admin` are 400. Staff alone see its address and phone number. An ' +
      'invitation with `orgUserId` ties an account to it, with all its history. At most 500 a day.',
    body: OrgUserBody,
    answers: { 201: envelope(OrganizationUser) },
    errors: [
      identityErrors.managedLeads,
      identityErrors.birthDateAhead,
      identityErrors.membersFull,
      platformErrors.memberAddressTaken,
      platformErrors.externalIdTaken,
      [platformErrors.emailNotVerified, 'when an address is given'],
    ],
    rateLimit: { organization: 'managedMembers' },
    write: async (tx, { actor, body, services }) => {
      await mustHaveRoomForMembers(tx, actor.organizationId, services.config.RATE_LIMIT_FACTOR)
      return createManagedMember(tx, actor, { ...body, roles: roleFlags(body) })
    },
    answer: async ({ id }, { db, actor }) =>
      created(orgUserView(await findOrgUser(db, actor.organizationId, id), actor)),
  })

  on.get('/orgUsers/:id', {
    id: 'readMembership',
    access: 'member',
    tag,
    summary: 'Read a membership',
    params: IdParams,
    answers: { 200: envelope(OrganizationUser) },
    read: async ({ db, actor, params, services, now }) => {
      const row = await findOrgUser(db, actor.organizationId, params.id)
      notesReading({ actor, services, now })(row.id)
      return ok(orgUserView(row, actor))
    },
  })

  on.patch('/orgUsers/:id', {
    id: 'updateMembership',
    access: 'member',
    tag,
    edits: 'membership',
    summary: 'Change roles, billing, rates and grounding of a member',
    description:
      'What is left out stays, role flags too; only an owner gives or takes `owner`. `name`, `email` and `phone` are of managed ' +
      'members alone; another address ends open invitations to claim the membership. Who is not grounded has no reason: ' +
      'returning a member drops it. `payRates` of one’s own are marked in the audit log, and all owners are mailed. ' +
      'For admins; for a member `autopay` and `autopayMaxCents` of their own alone, which ask for the password again, but to switch ' +
      'it off. With `autopay`, invoices raised from then on are charged to the default card: those that somebody else wrote by hand ' +
      'after 24 hours; above the limit, and for a price that somebody else set, the payer is asked. A declined card is tried again ' +
      'after 1, 3 and 7 days.',
    params: IdParams,
    body: OrgUserPatch,
    answers: { 200: envelope(OrganizationUser) },
    errors: [
      identityErrors.notGrounded,
      identityErrors.managedLeads,
      identityErrors.contactsAreOwn,
      platformErrors.memberAddressTaken,
      platformErrors.externalIdTaken,
      identityErrors.ownerNotAdmin,
      identityErrors.ownerNeeded,
      identityErrors.adminNeeded,
      [platformErrors.notAllowed, 'not an admin, or not an owner and `owner` would change'],
      identityErrors.ownersForOwners,
      billingErrors.autopayIsOwn,
    ],
    // A stolen token charges nobody's card.
    asksAgain: ({ actor, params, body }) =>
      params.id === actor.orgUserId && (body.autopay === true || body.autopayMaxCents !== undefined),
    prepare: async (call) => mayChange(call),
    write: (tx, { actor, params, body }) => updateMember(tx, actor, params.id, body),
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
      'other seats. While they are out on a flight it is 409 `MEMBER_OUT`.',
    params: IdParams,
    query: RemoveQuery,
    answers: { 204: null },
    errors: [
      billingErrors.balanceOutOfBounds,
      [platformErrors.notAllowed, 'not an admin, or not an owner and the member is one'],
      identityErrors.ownersForOwners,
      identityErrors.lastOwner,
      workflowsErrors.hasBookings,
      workflowsErrors.memberIsOut,
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

/** What members change of their own membership. */
const ownFields: readonly string[] = ['autopay', 'autopayMaxCents', 'password']

interface Changing {
  actor: Actor
  params: { id: number }
  body: z.output<typeof OrgUserPatch>
}

/** Ensures that the caller may change the membership: admins all of it, a member their autopay alone. */
function mayChange({ actor, params, body }: Changing): void {
  const own = params.id === actor.orgUserId
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (!is(actor, admins) && !(own && given.every((name) => ownFields.includes(name)))) throw platformErrors.notAllowed()
}
