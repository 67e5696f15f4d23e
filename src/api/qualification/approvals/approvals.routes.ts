import { z } from 'zod'
import { findResource, listApprovedResources } from '../../../shared/fleet/resources/resource.queries.ts'
import { findUser } from '../../../shared/identity/members/user.queries.ts'
import { admins, rolesOf } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { listApprovedMembers } from '../../../shared/qualification/approvals/approval.queries.ts'
import { approveMember } from '../../../shared/qualification/approvals/approve-member.ts'
import { Resource, resourceView } from '../../fleet/resources/resource.view.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage, listWhole, WholeListQuery } from '../../http/lists.ts'
import { envelope, Id, IdParams, PathId, QueryFlag } from '../../http/schemas.ts'
import { OrganizationUser, orgUserView } from '../../identity/members/org-user.view.ts'

const ApprovalBody = z.object({ userId: Id })
const Approval = z
  .object({ resourceId: Id, userId: Id, orgUserId: Id, approved: z.boolean() })
  .meta({ id: 'ResourceApproval' })
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
    description: 'Approving twice is no error.',
    write: (tx, { actor, params, body }) =>
      approveMember(tx, actor, { resourceId: params.id, ...body, approved: true }),
    answer: (approved) => ok(approved),
  })

  on.post('/resources/:id/unapprove', {
    id: 'withdrawApproval',
    ...approval,
    summary: 'Withdraw an approval',
    description: 'Bookings made under it stay.',
    write: (tx, { actor, params, body }) =>
      approveMember(tx, actor, { resourceId: params.id, ...body, approved: false }),
    answer: (approved) => ok(approved),
  })

  on.get('/resources/:id/approvedUsers', {
    id: 'listApprovedMembers',
    access: 'member',
    tag: 'Resources',
    summary: 'List the members approved on a resource',
    description: 'By name. `student=true` and `renter=true` include that role, either of them; without both, everyone.',
    params: IdParams,
    query: ApprovedQuery,
    answers: { 200: envelope(z.array(OrganizationUser)) },
    read: async ({ db, actor, params, query }) => {
      const { id } = await findResource(db, actor.organizationId, params.id)
      const members = listApprovedMembers(db, actor, id, rolesOf(query))
      return page(await listPage(members, query, (row) => orgUserView(row, actor)))
    },
  })

  on.get('/users/:userId/approvedResources', {
    id: 'listApprovedResources',
    access: 'member',
    tag: 'Members',
    summary: 'List the resources that a member is approved on',
    description: 'By name; without `limit` all of them.',
    params: z.object({ userId: PathId }),
    query: WholeListQuery,
    answers: { 200: envelope(z.array(Resource)) },
    read: async ({ db, actor, params, query }) => {
      const user = await findUser(db, actor.organizationId, params.userId)
      if (!user?.orgUserId) throw platformErrors.noSuchRecord()
      return page(await listWhole(listApprovedResources(db, actor.organizationId, user.orgUserId), query, resourceView))
    },
  })
}
