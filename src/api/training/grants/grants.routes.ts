import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { giveGrant, withdrawGrant } from '../../../shared/training/grants/give-grant.ts'
import { assertHolds } from '../../../shared/training/grants/grant.access.ts'
import { findGrant, listGrants } from '../../../shared/training/grants/grant.queries.ts'
import { grantCatalog, grantKinds, impliedGrants, mayGrade } from '../../../shared/training/grants/grants.rules.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, Id, PathId, Reference } from '../../http/schemas.ts'
import { Grant, GrantInWords, grantView, OwnGrants } from './grant.view.ts'

const tag = 'Training'

const GrantBody = z.object({
  orgUserId: Id,
  grant: z.enum(grantKinds),
  courseId: Id.nullable()
    .default(null)
    .describe('The course of a `checkInstructor`, who needs one; null for the other grants'),
})

export const grantRoutes: Routes = (on) => {
  on.get('/training/grants', {
    id: 'listTrainingGrants',
    access: 'member',
    tag,
    summary: 'List the training grants',
    description:
      'Lists the training grants, by the name of the member who holds them. Allowed for admins and holders of the ' +
      'grant `auditor`.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Grant)) },
    errors: [trainingErrors.grantNeeded],
    read: async ({ db, actor, query }) => {
      await assertHolds(db, actor, ['auditor'])
      return page(await listPage(listGrants(db, actor.organizationId), query, grantView))
    },
  })

  on.post('/training/grants', {
    id: 'giveTrainingGrant',
    access: admins,
    tag,
    summary: 'Give a member a training grant',
    description:
      'Gives a member a right in training. Without grants, only admins have these rights. The grant ends when the ' +
      'member leaves the organization.',
    body: GrantBody,
    answers: { 200: envelope(Grant) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.grantNeedsCourse,
      trainingErrors.grantForAllCourses,
      trainingErrors.unknownCourse,
      platformErrors.grantHeld,
    ],
    write: (tx, { actor, body }) => giveGrant(tx, actor, body),
    answer: async ({ id }, { db, actor }) => ok(grantView(await findGrant(db, actor.organizationId, id))),
  })

  on.delete('/training/grants/:grantId', {
    id: 'withdrawTrainingGrant',
    access: admins,
    tag,
    summary: 'Withdraw a training grant',
    description: 'Deletes a training grant. The member keeps the rights of their roles.',
    params: z.object({ grantId: PathId }),
    answers: { 200: envelope(Reference) },
    errors: [trainingErrors.noSuchGrant],
    write: (tx, { actor, params }) => withdrawGrant(tx, actor, params.grantId),
    answer: (result) => ok(result),
  })

  on.get('/training/grants/catalog', {
    id: 'listTrainingGrantKinds',
    access: 'member',
    tag,
    summary: 'List the four kinds of training grant',
    description: 'Lists the four kinds of training grant, each with a title and a description.',
    query: ListQuery,
    answers: { 200: envelope(z.array(GrantInWords)) },
    read: async ({ query }) => page(await listPage(listOf([...grantCatalog]), query, (grant) => grant)),
  })

  on.get('/training/grants/mine', {
    id: 'readOwnTrainingGrants',
    access: 'member',
    tag,
    summary: 'Read the caller’s rights in training',
    description: 'Returns the grants of the caller, and the rights that follow from the caller’s roles.',
    answers: { 200: envelope(OwnGrants) },
    read: async ({ db, actor }) => {
      const grants = await listGrants(db, actor.organizationId, actor.orgUserId).slice(0, 1000)
      return ok({
        grants: grants.map(grantView),
        implied: impliedGrants(actor.roles),
        mayGrade: mayGrade(actor.roles),
      })
    },
  })
}
