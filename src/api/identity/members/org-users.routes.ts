import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOrgUser, listOrgUsers, type OrgUserRow } from '../../../shared/identity/members/org-user.queries.ts'
import {
  assertHasRoomForMembers,
  createManagedMember,
} from '../../../shared/identity/profiles/create-managed-member.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, roleFlags, rolesOf, staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { isStudentOf } from '../../../shared/training/enrollments/students.queries.ts'
import { removeMember } from '../../../shared/workflows/remove-member.ts'
import { updateMember } from '../../../shared/workflows/update-member.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { personView } from '../../http/persons.ts'
import { envelope, IdParams, membersOf, Person, warnings } from '../../http/schemas.ts'
import { answerPattern } from './availability.routes.ts'
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
      'Lists the members by name. With several role flags set to true it lists the members who have any of these ' +
      'roles. Only staff may use `instructorOrgUserId`, and only owners `removed`.',
    query: OrgUserQuery,
    answers: { 200: envelope(z.array(OrganizationUser)) },
    errors: [[platformErrors.notAllowed, '`instructorOrgUserId` is only for staff, `removed` only for owners']],
    read: async ({ db, actor, now, query, services }) => {
      const { q, groupId: groupIds, removed = false } = query
      const of = membersOf(query.instructorOrgUserId, actor)
      if (of !== undefined && !is(actor, staff)) throw platformErrors.notAllowed()
      if (removed && !actor.roles.owner) throw platformErrors.notAllowed()
      const among = of && isStudentOf(actor.organizationId, of, now)
      const members = await listOrgUsers(db, actor, { q, groupIds, roles: rolesOf(query), among, removed })
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
    grant: 'registrar',
    tag,
    summary: 'Add a member without an account',
    description:
      'Creates a managed member: `user.id` is null, and no mail is sent. Managed members can be booked, billed, ' +
      'endorsed, enrolled and approved like all others; desk staff sign their flights (`confirmReview` with ' +
      '`onBehalfOf`), but nobody signs for both sides. Without a role flag the member is a student; `owner` and ' +
      '`admin` are refused (400). Only staff see the address and the phone number. To connect an account later, send ' +
      'an invitation with `orgUserId`: the account receives the membership with its whole history. A registrar adds ' +
      'students and renters. At most 500 per day.',
    body: OrgUserBody,
    answers: { 201: envelope(OrganizationUser) },
    errors: [
      identityErrors.registrarLimits,
      identityErrors.profileOfOthers,
      identityErrors.managedLeads,
      identityErrors.birthDateAhead,
      identityErrors.membersFull,
      platformErrors.memberAddressTaken,
      platformErrors.externalIdTaken,
      [platformErrors.emailNotVerified, 'when an address is given'],
    ],
    rateLimit: { organization: 'managedMembers' },
    write: async (tx, { actor, body, services }) => {
      await assertHasRoomForMembers(tx, actor.organizationId, services.config.RATE_LIMIT_FACTOR)
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
    description: 'Returns the member with this orgUserId.',
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
    grant: 'registrar',
    tag,
    edits: 'membership',
    summary: 'Change roles, billing, rates and grounding of a member',
    description:
      'Changes the fields that are sent; fields and role flags that are left out keep their value. Admins change all ' +
      'fields but `owner`, which only owners give or take; `autopay` and `billToOrgUserId` say what members change ' +
      'themselves. `name`, `email` and `phone` are changed of managed members only, and another address ends open ' +
      'invitations to take over the membership.\n\n' +
      'A registrar changes `name`, `email`, `phone` and `externalId` of managed members who are only student or ' +
      'renter; `email` only while the member has no bookings, money, documents, currencies or training.',
    params: IdParams,
    body: OrgUserPatch,
    answers: { 200: envelope(OrganizationUser) },
    errors: [
      identityErrors.registrarLimits,
      identityErrors.addressForAdmins,
      identityErrors.notGrounded,
      identityErrors.notGroundedFor,
      identityErrors.managedLeads,
      identityErrors.contactsAreOwn,
      platformErrors.memberAddressTaken,
      platformErrors.externalIdTaken,
      identityErrors.ownerNotAdmin,
      identityErrors.ownerNeeded,
      identityErrors.adminNeeded,
      [platformErrors.notAllowed, 'only admins may do this, and only owners change `owner`'],
      identityErrors.ownersForOwners,
      billingErrors.autopayIsOwn,
      identityErrors.unknownMember,
      identityErrors.billToOneself,
      identityErrors.billToHasPayer,
      identityErrors.billToPays,
    ],
    // So that nobody can have a card charged, or a debt moved to somebody else, with a stolen token.
    asksAgain: ({ actor, params, body }) =>
      params.id === actor.orgUserId
        ? body.autopay === true || body.autopayMaxCents !== undefined || body.billToOrgUserId != null
        : body.billToOrgUserId !== undefined && (body.billToOrgUserId !== null || is(actor, admins)),
    prepare: (call) => assertMayChange(call),
    write: (tx, { params, body }, actor) => updateMember(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(orgUserView(await findOrgUser(db, actor.organizationId, id), actor)),
  })

  on.delete('/orgUsers/:id', {
    id: 'removeMember',
    access: admins,
    tag,
    summary: 'Remove a member',
    description:
      'Ends the membership with its tokens, calendar address and upload forms. Open invitations that the member sent ' +
      'to a managed membership, or to roles other than student, end too. Past bookings keep the name. Only owners ' +
      'remove an owner. A member with future bookings is refused (409 `HAS_BOOKINGS`, with `details.reservations`) ' +
      'unless `cancelBookings=true`: bookings that need the member are then cancelled, and the member is removed ' +
      'from the other ones. A member who is out on a flight is refused (409 `MEMBER_OUT`). ' +
      'When the member paid for others, the answer is 200 and names them in `warnings`.',
    params: IdParams,
    query: RemoveQuery,
    answers: { 200: envelope(Person, warnings), 204: null },
    errors: [
      billingErrors.balanceOutOfBounds,
      [platformErrors.notAllowed, 'only admins may do this, and only owners remove an owner'],
      identityErrors.ownersForOwners,
      identityErrors.lastOwner,
      workflowsErrors.hasBookings,
      workflowsErrors.memberIsOut,
    ],
    write: (tx, { actor, params, query }) => removeMember(tx, actor, params.id, query.cancelBookings === true),
    answer: ({ id, name, warnings: said }) => (said.length > 0 ? ok(personView(id, name), { warnings: said }) : done()),
  })

  on.get('/orgUsers/:id/availability', {
    id: 'readMemberAvailability',
    access: 'member',
    tag,
    summary: 'Read a member’s weekly availability',
    description:
      'Returns the times of the week at which the member is available, in minutes after local midnight in the ' +
      'organization’s time zone. An empty list: always available.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(Availability)) },
    read: async ({ db, actor, params, query }) => {
      const { id } = await findOrgUser(db, actor.organizationId, params.id)
      return answerPattern(db, actor.organizationId, id, query)
    },
  })
}

/** The fields that members can change in their own membership. */
const ownFields: readonly string[] = ['autopay', 'autopayMaxCents', 'password']

/** The fields of a request that ends who pays for a member. */
const endFields: readonly string[] = ['billToOrgUserId', 'password']

/** The fields that registrars can change in the memberships of others. */
const registrarFields: readonly string[] = ['name', 'email', 'phone', 'externalId', 'password']

interface Changing extends Pick<Call<'member'>, 'actor' | 'asAdmin'> {
  params: { id: number }
  body: z.output<typeof OrgUserPatch>
}

/**
 * Returns the caller as whom the membership may be changed: an admin every field, a member only their own autopay, a
 * registrar contacts.
 */
async function assertMayChange({ actor, params, body, asAdmin }: Changing): Promise<Actor> {
  const own = params.id === actor.orgUserId
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  // The use case checks that it is the payer who ends it.
  const endsBillTo = body.billToOrgUserId === null && given.every((name) => endFields.includes(name))
  if (is(actor, admins) || endsBillTo || (own && given.every((name) => ownFields.includes(name)))) return actor
  if (own || !given.every((name) => registrarFields.includes(name))) throw platformErrors.notAllowed()
  return asAdmin()
}
