import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { updateAccount } from '../../../shared/identity/accounts/change-account.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findGuest, listGuests } from '../../../shared/identity/members/guest.queries.ts'
import { findOwnUser, findUser, listUsers, type UserRow } from '../../../shared/identity/members/user.queries.ts'
import { admins, staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { deleteAccount } from '../../../shared/workflows/delete-account.ts'
import { changeRoles } from '../../../shared/workflows/update-member.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage, listWhole, WholeListQuery } from '../../http/lists.ts'
import { RoleFlagsInput } from '../../http/role-schemas.ts'
import { envelope, IdParams, QueryText } from '../../http/schemas.ts'
import { Guest, guestView } from './guest.view.ts'
import { UserIdParams, UserPatch } from './members.schemas.ts'
import { User, userView } from './user.view.ts'
import { notesReading } from './wide-reading.ts'

const tag = 'Members'

export const memberRoutes: Routes = (on) => {
  on.get('/users', {
    id: 'listUsers',
    access: 'member',
    tag,
    summary: 'List the members of the organization',
    description:
      'Lists the members who have an account, by name. Without `limit`, all of them are streamed. `GET /orgUsers` ' +
      'has the details of the memberships and also lists members without an account.',
    query: WholeListQuery,
    answers: { 200: envelope(z.array(User)) },
    read: async ({ db, actor, query, services, now }) => {
      const note = notesReading({ actor, services, now })
      const view = (row: UserRow) => {
        note(row.orgUserId ?? 0)
        return userView(row)
      }
      return page(await listWhole(listUsers(db, actor.organizationId), query, view))
    },
  })

  on.patch('/users', {
    id: 'updateOwnUser',
    access: 'account',
    tag,
    summary: 'Change your own name and phone number',
    description: 'Changes the fields that are sent.',
    body: UserPatch,
    answers: { 200: envelope(User) },
    write: (tx, { account, body }) => updateAccount(tx, account.accountId, body),
    answer: async (_, { db, account }) =>
      ok(userView(await findOwnUser(db, account.accountId, account.member?.organizationId ?? null))),
  })

  on.delete('/users', {
    id: 'deleteOwnAccount',
    access: 'account',
    tag,
    summary: 'Delete your own account',
    description:
      'Ends all memberships and tokens of the account, so that its address can be used for a new account. Past ' +
      'bookings keep the name. Future bookings that need the person are cancelled (category `administrative`); the ' +
      'person is removed from other bookings.',
    answers: { 204: null },
    errors: [billingErrors.balanceOutOfBounds, identityErrors.lastOwner],
    write: (tx, { account }) => deleteAccount(tx, account.accountId),
    answer: () => done(),
  })

  on.get('/users/:id', {
    id: 'readUser',
    access: 'member',
    tag,
    summary: 'Read a member',
    description: 'Returns the member with this account id.',
    params: IdParams,
    answers: { 200: envelope(User) },
    read: ({ params, ...call }) => answerUser(call, params.id),
  })

  on.get('/users/:userId/roles', {
    id: 'readUserRoles',
    access: admins,
    tag,
    summary: 'Read a member’s roles',
    description: 'Returns the member with this account id, including the role flags.',
    params: UserIdParams,
    answers: { 200: envelope(User) },
    read: ({ params, ...call }) => answerUser(call, params.userId),
  })

  on.patch('/users/:userId/roles', {
    id: 'replaceUserRoles',
    access: admins,
    tag,
    summary: 'Replace a member’s roles',
    description:
      'Replaces all role flags: a flag that is left out is false. The change takes effect with the member’s next ' +
      'request. Only owners give or take `owner`; a request without the flag takes it. Losing a role also ends the ' +
      'open invitations and upload forms for which the member needed it. When an admin loses the role, owners get a ' +
      'mail that lists the webhooks which that admin created.',
    params: UserIdParams,
    body: RoleFlagsInput,
    answers: { 200: envelope(User) },
    errors: [
      identityErrors.ownerNotAdmin,
      identityErrors.ownerNeeded,
      identityErrors.adminNeeded,
      [platformErrors.notAllowed, 'only admins may do this, and only owners change `owner`'],
      identityErrors.ownersForOwners,
    ],
    write: (tx, { actor, params, body }) => changeRoles(tx, actor, { accountId: params.userId }, () => body),
    answer: (_, call) => answerUser(call, call.params.userId),
  })

  on.get('/guests', {
    id: 'listGuests',
    access: staff,
    tag,
    summary: 'List the guests',
    description: 'Lists the guests of bookings and invoices, by name. `q` searches names, addresses and phone numbers.',
    query: ListQuery.extend({ q: QueryText.optional() }),
    answers: { 200: envelope(z.array(Guest)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listGuests(db, actor.organizationId, query.q), query, guestView)),
  })

  on.get('/guests/:id', {
    id: 'readGuest',
    access: staff,
    tag,
    summary: 'Read a guest',
    description: 'Returns a guest of bookings and invoices.',
    params: IdParams,
    answers: { 200: envelope(Guest) },
    read: async ({ db, actor, params }) => ok(guestView(await findGuest(db, actor.organizationId, params.id))),
  })
}

async function answerUser(call: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now'>, id: number) {
  const user = await findUser(call.db, call.actor.organizationId, id)
  if (!user) throw platformErrors.noSuchRecord()
  notesReading(call)(user.orgUserId ?? 0)
  return ok(userView(user))
}
