import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findDeskGrant, listDeskGrants } from '../../../shared/identity/members/desk-grant.queries.ts'
import { giveDeskGrant, withdrawDeskGrant } from '../../../shared/identity/members/give-desk-grant.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskGrants } from '../../../shared/platform/authz/desk-grants.rules.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { envelope, Id, IdParams } from '../../http/schemas.ts'
import { DeskGrant, deskGrantView } from './desk-grant.view.ts'

const tag = 'Members'

const DeskGrantBody = z.object({ orgUserId: Id, grant: z.enum(deskGrants), password: PasswordAgain })

/** Returns the member whose grants the caller may read; undefined for admins, who read all. */
const readableTo = (actor: Actor) => (is(actor, admins) ? undefined : actor.orgUserId)

/** The endpoints of desk grants: rights at the desk beyond the roles. Implements interface §Desk grants. */
export const deskGrantRoutes: Routes = (on) => {
  on.get('/grants', {
    id: 'listDeskGrants',
    access: 'member',
    tag,
    summary: 'List the desk grants',
    description: 'Lists desk grants, newest first. Admins see all, other members their own.',
    query: ListQuery,
    answers: { 200: envelope(z.array(DeskGrant)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listDeskGrants(db, actor.organizationId, readableTo(actor)), query, deskGrantView)),
  })

  on.post('/grants', {
    id: 'giveDeskGrant',
    access: admins,
    tag,
    summary: 'Give a dispatcher or an instructor a desk grant',
    description:
      'Gives a member with the role dispatcher or instructor a right beyond the roles.\n\n' +
      '- `cashier`: invoices flights, writes ad-hoc invoices, records payments and deposits within ' +
      '`settings.cashierMaxCents`, reverses own payments of today, sells packages, and reads invoices, statements, ' +
      'ledgers, `GET /reports/balances`, and the own rows of `GET /reports/payments`. A cashier does none of this ' +
      'for their own money (403 `OWN_MONEY`).\n' +
      '- `registrar`: adds, invites and changes members who are only student or renter, with their profiles, and ' +
      'adds their documents.\n\n' +
      'A grant ends with the role and ' +
      'with the membership. A member without an account cannot hold one. All owners get a mail when somebody can ' +
      'take money as a `cashier`.',
    body: DeskGrantBody,
    answers: { 201: envelope(DeskGrant) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.ownGrant,
      identityErrors.grantNeedsAccount,
      identityErrors.grantNeedsRole,
      platformErrors.grantHeld,
    ],
    asksAgain: 'always',
    write: (tx, { actor, body: { orgUserId, grant } }) => giveDeskGrant(tx, actor, { orgUserId, grant }),
    answer: async ({ id }, { db, actor }) => created(deskGrantView(await findDeskGrant(db, actor.organizationId, id))),
  })

  on.delete('/grants/:id', {
    id: 'withdrawDeskGrant',
    access: admins,
    tag,
    summary: 'Withdraw a desk grant',
    description: 'Deletes the desk grant, with effect from the member’s next request.',
    params: IdParams,
    answers: { 204: null },
    asksAgain: 'always',
    write: (tx, { actor, params }) => withdrawDeskGrant(tx, actor, params.id),
    answer: () => done(),
  })
}
