import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findUser } from '../../../shared/identity/members/user.queries.ts'
import { admins, rolesOf, staff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import {
  type ApprovalRow,
  findApproval,
  listApprovals,
  listApprovedMembers,
  listApprovedResources,
} from '../../../shared/qualification/approvals/approval.queries.ts'
import {
  approveMember,
  giveApproval,
  withdrawApproval,
} from '../../../shared/qualification/approvals/approve-member.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { Resource, resourceView } from '../../fleet/resources/resource.view.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { ListQuery, listPage, listWhole, WholeListQuery } from '../../http/lists.ts'
import {
  envelope,
  Id,
  IdParams,
  Instant,
  InstantInput,
  membersOf,
  NamedReference,
  oneLine,
  PathId,
  Person,
  QueryFlag,
  QueryIds,
  QueryMembers,
} from '../../http/schemas.ts'
import { OrganizationUser, orgUserView } from '../../identity/members/org-user.view.ts'

const ApprovalBody = z.object({ userId: Id })
const Approval = z
  .object({ resourceId: Id, userId: Id, orgUserId: Id, approved: z.boolean() })
  .meta({ id: 'ResourceApproval' })
const what = () =>
  oneLine(60)
    .trim()
    .min(1)
    .nullish()
    .transform((text) => text ?? null)

const GiveApprovalBody = z
  .object({
    orgUserId: Id,
    resourceId: Id.nullish().transform((id) => id ?? null),
    make: what(),
    model: what(),
    expiresAt: InstantInput.nullish().transform((at) => at ?? null),
  })
  .superRefine(({ resourceId, make, model }, context) => {
    const byModel = make !== null && model !== null
    if (byModel === (resourceId === null) && (make === null) === (model === null)) return
    const field = resourceId === null ? 'make' : 'resourceId'
    context.addIssue({ code: 'custom', path: [field], message: fieldErrors.resourceOrModel() })
  })

/** An approval of a member on one resource, or on a make and model. */
const MemberApproval = z
  .object({
    id: Id,
    orgUserId: Id,
    member: Person,
    resource: NamedReference.nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    expiresAt: Instant.nullable(),
    approvedBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'MemberApproval' })

function approvalView({ expiresAt, createdAt, updatedAt, ...row }: ApprovalRow): z.input<typeof MemberApproval> {
  const { id, orgUserId, member, resource, make, model, approvedBy } = row
  const instants = { expiresAt: iso(expiresAt), createdAt: iso(createdAt), updatedAt: iso(updatedAt) }
  return { id, orgUserId, member, resource, make, model, approvedBy, ...instants }
}

const ApprovedQuery = ListQuery.extend({ student: QueryFlag.optional(), renter: QueryFlag.optional() })

const approval = {
  access: admins,
  tag: 'Resources',
  params: IdParams,
  body: ApprovalBody,
  answers: { 200: envelope(Approval) },
} as const

/** The endpoints of checkouts: approvals of members on aircraft. */
export const approvalRoutes: Routes = (on) => {
  on.post('/resources/:id/approve', {
    id: 'approveMemberOnResource',
    ...approval,
    summary: 'Approve a member on a resource',
    description:
      'Approves a member on one resource, without an end date. When the member is already approved on it, its end ' +
      'date is removed.',
    write: (tx, { actor, params, body }) =>
      approveMember(tx, actor, { resourceId: params.id, ...body, approved: true }),
    answer: (approved) => ok(approved),
  })

  on.post('/resources/:id/unapprove', {
    id: 'withdrawApproval',
    ...approval,
    summary: 'Withdraw an approval',
    description:
      'Deletes the approval of a member on one resource. Bookings made under it stay. An approval by make and model ' +
      'is withdrawn with `DELETE /approvals/{id}`.',
    errors: [qualificationErrors.approvedByModel],
    write: (tx, { actor, params, body }) =>
      approveMember(tx, actor, { resourceId: params.id, ...body, approved: false }),
    answer: (approved) => ok(approved),
  })

  on.get('/resources/:id/approvedUsers', {
    id: 'listApprovedMembers',
    access: 'member',
    tag: 'Resources',
    summary: 'List the members approved on a resource',
    description:
      'Lists the members who are approved on a resource, by name. `student=true` and `renter=true` select members ' +
      'with that role; both together select members with either role. Without them, all are listed.',
    params: IdParams,
    query: ApprovedQuery,
    answers: { 200: envelope(z.array(OrganizationUser)) },
    read: async ({ db, actor, now, params, query }) => {
      const { id } = await findResource(db, actor.organizationId, params.id)
      const members = listApprovedMembers(db, actor, now, { resourceId: id, roles: rolesOf(query) })
      return page(await listPage(members, query, (row) => orgUserView(row, actor)))
    },
  })

  on.get('/users/:userId/approvedResources', {
    id: 'listApprovedResources',
    access: 'member',
    tag: 'Members',
    summary: 'List the resources that a member is approved on',
    description: 'Lists the resources that a member is approved on, by name; all of them without `limit`.',
    params: z.object({ userId: PathId }),
    query: WholeListQuery,
    answers: { 200: envelope(z.array(Resource)) },
    read: async ({ db, actor, now, params, query }) => {
      const user = await findUser(db, actor.organizationId, params.userId)
      if (!user?.orgUserId) throw platformErrors.noSuchRecord()
      return page(
        await listWhole(listApprovedResources(db, actor.organizationId, user.orgUserId, now), query, resourceView),
      )
    },
  })

  on.get('/approvals', {
    id: 'listApprovals',
    access: 'member',
    tag: 'Resources',
    summary: 'List the approvals of members on aircraft',
    description:
      'Lists the approvals, including expired ones. Staff see all; other members see only their own. `resourceId` ' +
      'selects the approvals that cover one of the resources, also those by make and model.',
    query: ListQuery.extend({ orgUserId: QueryMembers.optional(), resourceId: QueryIds.optional() }),
    answers: { 200: envelope(z.array(MemberApproval)) },
    read: async ({ db, actor, query }) => {
      const filter = { orgUserIds: membersOf(query.orgUserId, actor), resourceIds: query.resourceId }
      return page(await listPage(listApprovals(db, actor, filter), query, approvalView))
    },
  })

  on.post('/approvals', {
    id: 'giveApproval',
    access: staff,
    tag: 'Resources',
    summary: 'Approve a member on an aircraft, or on a make and model',
    description:
      'Approves a member on `resourceId`, or on every aircraft of `make` and `model`, which are compared without ' +
      'case. A booking needs an approval that is valid at its start. When the member already has this approval, ' +
      'its `expiresAt` is replaced and the answer is 200. Allowed for admins and, when ' +
      '`settings.instructorsApprove` is on, for instructors; instructors cannot approve themselves.',
    body: GiveApprovalBody,
    answers: { 200: envelope(MemberApproval), 201: envelope(MemberApproval) },
    errors: [
      identityErrors.unknownMember,
      fleetErrors.unknownResource,
      [platformErrors.notAllowed, 'the caller is neither an admin nor an instructor who may approve this member'],
    ],
    write: (tx, { actor, body }) => giveApproval(tx, actor, body),
    answer: async ({ id, made }, { db, actor }) => {
      const approved = approvalView(await findApproval(db, actor, id))
      return made ? created(approved) : ok(approved)
    },
  })

  on.delete('/approvals/:id', {
    id: 'deleteApproval',
    access: staff,
    tag: 'Resources',
    summary: 'Withdraw an approval',
    description: 'Deletes an approval. Bookings made under it stay. Allowed for those who can give the approval.',
    params: IdParams,
    answers: { 204: null },
    errors: [
      [platformErrors.notAllowed, 'the caller is neither an admin nor an instructor who may approve this member'],
    ],
    write: (tx, { actor, params }) => withdrawApproval(tx, actor, params.id),
    answer: () => done(),
  })
}
