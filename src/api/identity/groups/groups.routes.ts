import { z } from 'zod'
import { deleteGroup } from '../../../shared/communication/announcements/write-announcement.ts'
import { findGroup, listGroups } from '../../../shared/identity/groups/group.queries.ts'
import { createGroup, updateGroup } from '../../../shared/identity/groups/write-group.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams, name, QueryText, text } from '../../http/schemas.ts'
import { Group, groupView } from './group.view.ts'

const tag = 'Groups'

const OrgUserIds = z.array(Id).max(5_000)

const GroupBody = z.object({
  name: name(200),
  description: text(2_000).nullable().optional(),
  orgUserIds: OrgUserIds.optional(),
})

export const groupRoutes: Routes = (on) => {
  on.get('/groups', {
    id: 'listGroups',
    access: 'member',
    tag,
    summary: 'List the groups',
    description: 'Lists the groups by name.',
    query: ListQuery.extend({ q: QueryText.optional().describe('Searches the name') }),
    answers: { 200: envelope(z.array(Group)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listGroups(db, actor.organizationId, query.q), query, groupView)),
  })

  on.post('/groups', {
    id: 'createGroup',
    access: admins,
    tag,
    summary: 'Create a group',
    description: 'Creates a group with the given members. Its name must be unique in the organization.',
    body: GroupBody,
    answers: { 201: envelope(Group) },
    errors: [platformErrors.groupNameTaken, identityErrors.unknownMembers],
    write: (tx, { actor, body }) => createGroup(tx, actor, body),
    answer: async ({ id }, call) => created(await readGroup(call, id)),
  })

  on.get('/groups/:id', {
    id: 'readGroup',
    access: 'member',
    tag,
    summary: 'Read a group',
    description: 'Returns the group with the ids of its members.',
    params: IdParams,
    answers: { 200: envelope(Group) },
    read: async ({ params, ...call }) => ok(await readGroup(call, params.id)),
  })

  on.patch('/groups/:id', {
    id: 'updateGroup',
    access: admins,
    tag,
    edits: 'member_group',
    summary: 'Change a group',
    description: 'Changes the fields that are sent. `orgUserIds` replaces all members of the group.',
    params: IdParams,
    body: GroupBody.partial(),
    answers: { 200: envelope(Group) },
    errors: [platformErrors.groupNameTaken, identityErrors.unknownMembers],
    write: (tx, { actor, params, body }) => updateGroup(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await readGroup(call, id)),
  })

  on.delete('/groups/:id', {
    id: 'deleteGroup',
    access: admins,
    tag,
    edits: 'member_group',
    summary: 'Delete a group',
    description:
      'Deletes the group, and the announcements whose audience is only this group. Its members stay in the ' +
      'organization.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteGroup(tx, actor, params.id),
    answer: () => done(),
  })

  on.put('/groups/:id/members', {
    id: 'replaceGroupMembers',
    access: admins,
    tag,
    summary: 'Replace the members of a group',
    description: 'Replaces all members of the group.',
    params: IdParams,
    body: z.object({ orgUserIds: OrgUserIds }),
    answers: { 200: envelope(Group) },
    errors: [identityErrors.unknownMembers],
    write: (tx, { actor, params, body }) => updateGroup(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await readGroup(call, id)),
  })
}

async function readGroup({ db, actor }: Pick<Call<'member'>, 'db' | 'actor'>, id: number) {
  return groupView(await findGroup(db, actor.organizationId, id))
}
