import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { updateAccount } from '../../../shared/identity/accounts/change-account.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { listGuests } from '../../../shared/identity/members/guest.queries.ts'
import { findOwnUser, findUser, listUsers, type UserRow } from '../../../shared/identity/members/user.queries.ts'
import { admins, staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { changeRoles } from '../../../shared/workflows/change-roles.ts'
import { deleteAccount } from '../../../shared/workflows/delete-account.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage, listWhole, WholeListQuery } from '../../http/lists.ts'
import { envelope, IdParams, QueryText, RoleFlagsInput } from '../../http/schemas.ts'
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
    summary: 'The members of the organization',
    description:
      'By name; without `limit` all of them, sent as they are read. `GET /orgUsers` has membership details, and those ' +
      'without an account too.',
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
    summary: 'Change one’s own name and phone number',
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
    summary: 'Delete one’s own account',
    description:
      'Ends its memberships and its tokens; the address is free again. Past bookings keep the name. Future bookings ' +
      'that need the person are cancelled (`administrative`), other seats are freed.',
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
    params: IdParams,
    answers: { 200: envelope(User) },
    read: ({ params, ...call }) => answerUser(call, params.id),
  })

  on.get('/users/:userId/roles', {
    id: 'readUserRoles',
    access: admins,
    tag,
    summary: 'Read a member’s roles',
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
      'The whole set: a flag left out is false. It counts from the member’s next request on. Only an owner gives or ' +
      'takes `owner`; leaving the flag out for an owner is taking it. A role that is gone ends what it was needed for: ' +
      'open invitations, upload forms. Owners are mailed which webhooks a former admin made.',
    params: UserIdParams,
    body: RoleFlagsInput,
    answers: { 200: envelope(User) },
    errors: [
      identityErrors.ownerNotAdmin,
      identityErrors.ownerNeeded,
      identityErrors.adminNeeded,
      [platformErrors.notAllowed, 'not an admin, or not an owner and `owner` would change'],
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
    description: 'Those whom a booking or an invoice named, by name. `q` looks in names, addresses and phone numbers.',
    query: ListQuery.extend({ q: QueryText.optional() }),
    answers: { 200: envelope(z.array(Guest)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listGuests(db, actor.organizationId, query.q), query, guestView)),
  })
}

async function answerUser(call: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now'>, id: number) {
  const user = await findUser(call.db, call.actor.organizationId, id)
  if (!user) throw platformErrors.noSuchRecord()
  notesReading(call)(user.orgUserId ?? 0)
  return ok(userView(user))
}
