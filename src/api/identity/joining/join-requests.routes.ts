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
import { envelope, IdParams, queryWords } from '../../http/schemas.ts'
import { ApproveBody } from '../organizations/organizations.schemas.ts'
import { JoinRequest, joinRequestView } from './join-request.view.ts'

const tag = 'Organizations'

export const joinRequestRoutes: Routes = (on) => {
  on.get('/organizations/joinRequests', {
    id: 'listJoinRequests',
    access: admins,
    tag,
    summary: 'List the join requests',
    description: 'Lists the join requests, newest first; without `status`, only pending ones.',
    query: ListQuery.extend({ status: queryWords([...joinRequestStatuses, 'all']).default(['pending']) }),
    answers: { 200: envelope(z.array(JoinRequest)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listJoinRequests(db, actor.organizationId, query.status), query, joinRequestView)),
  })

  on.get('/organizations/joinRequests/:id', {
    id: 'readJoinRequest',
    access: admins,
    tag,
    summary: 'Read a join request',
    description: 'Returns a join request of any status.',
    params: IdParams,
    answers: { 200: envelope(JoinRequest) },
    read: async ({ db, actor, params }) =>
      ok(joinRequestView(await findJoinRequest(db, actor.organizationId, params.id))),
  })

  on.post('/organizations/joinRequests/:id/approve', {
    id: 'approveJoinRequest',
    access: admins,
    tag,
    summary: 'Approve a join request',
    description:
      'Makes the person a member with the given roles and sends them a mail. If no role flag is sent, the member is ' +
      'a student.',
    params: IdParams,
    body: ApproveBody,
    answers: { 200: envelope(JoinRequest) },
    errors: [
      platformErrors.personIsMember,
      [platformErrors.notAllowed, 'only admins may do this, and only owners grant `owner`'],
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
    description: 'Declines the request and sends the person a mail. They may ask again.',
    params: IdParams,
    answers: { 200: envelope(JoinRequest) },
    errors: [identityErrors.requestDecided],
    write: (tx, { actor, params }) => declineJoinRequest(tx, actor, params.id),
    answer: async ({ id }, { db, actor }) => ok(joinRequestView(await findJoinRequest(db, actor.organizationId, id))),
  })
}
