import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { approveJoinRequest, declineJoinRequest } from '../../../shared/identity/joining/decide-join-request.ts'
import { findJoinRequest, listJoinRequests } from '../../../shared/identity/joining/join-request.queries.ts'
import { joinRequestStatuses } from '../../../shared/identity/organizations.tables.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { ApproveBody } from '../organizations/organizations.schemas.ts'
import { JoinRequest, joinRequestView } from './join-request.view.ts'

const tag = 'Organizations'

export const joinRequestRoutes: Routes = (on) => {
  on.get('/organizations/joinRequests', {
    id: 'listJoinRequests',
    access: admins,
    tag,
    summary: 'List the join requests',
    description: 'Newest first; the waiting ones unless `status` says otherwise.',
    query: ListQuery.extend({ status: z.enum([...joinRequestStatuses, 'all']).default('pending') }),
    answers: { 200: envelope(z.array(JoinRequest)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listJoinRequests(db, actor.organizationId, query.status), query, joinRequestView)),
  })

  on.post('/organizations/joinRequests/:id/approve', {
    id: 'approveJoinRequest',
    access: admins,
    tag,
    summary: 'Approve a join request',
    description: 'The person becomes a member with the roles named, a student when none is, and gets a mail.',
    params: IdParams,
    body: ApproveBody,
    answers: { 200: envelope(JoinRequest) },
    errors: [
      platformErrors.personIsMember,
      [platformErrors.notAllowed, 'not an admin, or not an owner and `owner` is given'],
      identityErrors.ownersForOwners,
      identityErrors.requestDecided,
    ],
    write: (tx, { actor, params, body }) => approveJoinRequest(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(joinRequestView(await findJoinRequest(db, actor.organizationId, id))),
  })

  on.post('/organizations/joinRequests/:id/decline', {
    id: 'declineJoinRequest',
    access: admins,
    tag,
    summary: 'Decline a join request',
    description: 'The person gets a mail and may ask again.',
    params: IdParams,
    answers: { 200: envelope(JoinRequest) },
    errors: [identityErrors.requestDecided],
    write: (tx, { actor, params }) => declineJoinRequest(tx, actor, params.id),
    answer: async ({ id }, { db, actor }) => ok(joinRequestView(await findJoinRequest(db, actor.organizationId, id))),
  })
}
