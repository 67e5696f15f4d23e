import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findJoinRequest } from '../../../shared/identity/joining/join-request.queries.ts'
import { switchOrganization } from '../../../shared/identity/joining/switch-organization.ts'
import {
  findOrganization,
  findVisibleOrganization,
  listDirectory,
  listOwnOrganizations,
} from '../../../shared/identity/organizations/organization.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { NotFound } from '../../../shared/platform/kernel/errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { changeOrganization } from '../../../shared/workflows/change-organization.ts'
import {
  createOrganization,
  deleteOrganization,
  MOST_ORGANIZATIONS,
} from '../../../shared/workflows/create-organization.ts'
import { joinOrganization } from '../../../shared/workflows/join-organization.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage, listWhole, WholeListQuery } from '../../http/lists.ts'
import { envelope, QueryText } from '../../http/schemas.ts'
import { AuthEnvelope, authEnvelope } from '../accounts/auth-envelope.ts'
import { JoinRequest, joinRequestView } from '../joining/join-request.view.ts'
import { Organization, organizationDetail, organizationView, readerOf } from './organization.view.ts'
import { JoinParams, OrganizationBody, OrganizationPatch, OrgIdParams } from './organizations.schemas.ts'

const tag = 'Organizations'

const isNotFound = (error: unknown) => error instanceof NotFound

export const organizationRoutes: Routes = (on) => {
  on.get('/organizations', {
    id: 'listOwnOrganizations',
    access: 'account',
    tag,
    summary: 'List your organizations',
    description:
      'Lists the organizations of the account, by name. Without `limit`, all of them are returned. Only the active ' +
      'organization has the join code and the settings, and only for its admins.',
    query: WholeListQuery,
    answers: { 200: envelope(z.array(Organization)) },
    read: async ({ db, account, actor, query }) =>
      page(
        await listWhole(listOwnOrganizations(db, account.accountId), query, (row) =>
          organizationView(row, readerOf(actor, row.id)),
        ),
      ),
  })

  on.post('/organizations', {
    id: 'createOrganization',
    access: 'account',
    tag,
    summary: 'Create an organization',
    description:
      'Creates an organization with its first location and makes it the active one. The caller becomes owner and ' +
      'admin. At most 10 per day and 50 in all for one account.',
    body: OrganizationBody,
    answers: { 201: envelope(AuthEnvelope) },
    errors: [workflowsErrors.tooManyOrganizations],
    rateLimit: { account: 'organizations' },
    secret: true,
    write: (tx, { account, body, services }) =>
      createOrganization(tx, account.accountId, body, MOST_ORGANIZATIONS * services.config.RATE_LIMIT_FACTOR),
    answer: async (who, { services, account }) => created(await authEnvelope(services, who, account)),
  })

  on.patch('/organizations', {
    id: 'updateOrganization',
    access: admins,
    tag,
    summary: 'Change the organization',
    description:
      'Changes the fields that are sent. `details` and `settings` are merged key by key, nested keys too. A change ' +
      'that makes `refundApprovalCents`, `minimumBalanceCents` or `prepaidBy` less strict takes effect after 24 ' +
      'hours (`settings.upcoming`), and all owners get a mail. A change of `settings.currency` requires a recent ' +
      'sign-in, or the password.',
    body: OrganizationPatch,
    answers: { 200: envelope(Organization) },
    errors: [
      platformErrors.flyingDayReversed,
      platformErrors.currencyUnknown,
      identityErrors.currencyInUse,
      identityErrors.unknownLocation,
    ],
    asksAgain: ({ actor, body }) => {
      const { currency = actor.organization.settings.currency } = body.settings ?? {}
      return currency !== actor.organization.settings.currency
    },
    write: (tx, { actor, body: { password: _, ...changes } }) => changeOrganization(tx, actor, changes),
    answer: async ({ id }, { db }) => ok(organizationView(await findOrganization(db, id), 'admin')),
  })

  on.delete('/organizations', {
    id: 'deleteOrganization',
    access: ['owner'],
    tag,
    summary: 'Delete the organization',
    description:
      'Deletes the organization and all its records, stored files and queued jobs. This cannot be undone. Accounts ' +
      'stay, their tokens for the organization end, and its owners get a mail. Unpaid invoices are also ended at ' +
      'the payment processor, and credit of payers is paid back. Records that the school or its instructors must ' +
      'keep (14 CFR 61.189, 141.101(d), 49 CFR 1552.15) are deleted too: export them first (`POST /exports`).',
    answers: { 204: null },
    write: (tx, { actor }) => deleteOrganization(tx, actor),
    answer: () => done(),
  })

  on.get('/organizations/directory', {
    id: 'listDirectory',
    access: 'account',
    tag,
    summary: 'List the public directory',
    description:
      'Lists the organizations with `showInDirectory`, by name. `q` searches names, towns, locations and airports.',
    query: ListQuery.extend({ q: QueryText.optional() }),
    answers: { 200: envelope(z.array(Organization)) },
    read: async ({ db, query }) =>
      page(await listPage(listDirectory(db, query.q), query, (row) => organizationView(row, 'public'))),
  })

  on.get('/organizations/:orgId', {
    id: 'readOrganization',
    access: 'account',
    tag,
    summary: 'Read an organization',
    description:
      'Returns an organization of the directory, or one of the caller’s own, as the public sees it: without ' +
      'address lines, which `GET /locations` returns. Admins of the active organization also get the join code and ' +
      'the settings.',
    params: OrgIdParams,
    answers: { 200: envelope(Organization) },
    read: async ({ db, account, actor, params }) => {
      const row = await findVisibleOrganization(db, account.accountId, params.orgId)
      return ok(organizationDetail(row, readerOf(actor, row.id)))
    },
  })

  on.post('/organizations/switch/:orgId', {
    id: 'switchOrganization',
    access: 'account',
    tag,
    summary: 'Switch to another organization',
    description:
      'Makes the organization the active one and returns a token for it. Tokens for the previous organization stay ' +
      'valid. The next sign-in uses this organization.',
    params: OrgIdParams,
    answers: { 200: envelope(AuthEnvelope) },
    secret: true,
    write: (tx, { account, params }) => switchOrganization(tx, account.accountId, params.orgId),
    answer: async (who, { services, account }) => ok(await authEnvelope(services, who, account)),
  })

  on.post('/organizations/join/:orgCode', {
    id: 'joinOrganization',
    access: 'account',
    verified: true,
    tag,
    summary: 'Join an organization by its code',
    description:
      'Makes the caller a student of a public organization (200), or creates a join request to a private one (201). ' +
      'Joining again while a request is pending returns that request. The case of the code does not matter. After 20 ' +
      'wrong codes within an hour the answer is 429.',
    params: JoinParams,
    answers: { 200: envelope(AuthEnvelope), 201: envelope(JoinRequest) },
    errors: [identityErrors.youAreMember, platformErrors.emailNotVerified, workflowsErrors.noSuchCode],
    rateLimit: { failures: { limit: 'joinCode', key: ({ account }) => String(account.accountId), failed: isNotFound } },
    secret: true,
    write: (tx, { account, params }) => joinOrganization(tx, account.accountId, params.orgCode),
    answer: async (joined, { db, services, account }) => {
      if ('signedIn' in joined) return ok(await authEnvelope(services, joined.signedIn, account))
      const { id, organizationId } = joined.joinRequest
      return created(joinRequestView(await findJoinRequest(db, organizationId, id)))
    },
  })
}
