import { z } from 'zod'
import { admins, deskStaff } from '../../../shared/platform/authz/roles.ts'
import { findOffering, listOfferings } from '../../../shared/scheduling/offerings/offering.queries.ts'
import { createOffering, deleteOffering, updateOffering } from '../../../shared/scheduling/offerings/write-offering.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Offering, offeringView } from './offering.view.ts'
import { OfferingBody, OfferingPatch } from './offerings.schemas.ts'

const tag = 'Offerings'

const writeErrors = [
  schedulingErrors.packagePriceTooLow,
  schedulingErrors.latestBeforeEarliest,
  schedulingErrors.daylightUnknown,
  schedulingErrors.noSuchPlanes,
  schedulingErrors.noSuchInstructors,
] as const

/** The endpoints of offerings for members. */
export const offeringRoutes: Routes = (on) => {
  on.get('/offerings', {
    id: 'listOfferings',
    access: deskStaff,
    tag,
    summary: 'List the offerings',
    description: 'Lists what the organization offers to the public, by name, including offerings that are not active.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Offering)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listOfferings(db, actor.organizationId), query, offeringView)),
  })

  on.post('/offerings', {
    id: 'createOffering',
    access: admins,
    tag,
    summary: 'Create an offering',
    description:
      'Creates an offering: a flight of a guest with an instructor, such as a discovery flight, on the given ' +
      'planes. The public sees it while it is active and the organization is in the directory.',
    body: OfferingBody,
    answers: { 201: envelope(Offering) },
    errors: writeErrors,
    write: (tx, { actor, body }) => createOffering(tx, actor, body),
    answer: async ({ id }, { db, actor }) => created(offeringView(await findOffering(db, actor.organizationId, id))),
  })

  on.get('/offerings/:id', {
    id: 'readOffering',
    access: deskStaff,
    tag,
    summary: 'Read an offering',
    description: 'Returns an offering, active or not.',
    params: IdParams,
    answers: { 200: envelope(Offering) },
    read: async ({ db, actor, params }) => ok(offeringView(await findOffering(db, actor.organizationId, params.id))),
  })

  on.patch('/offerings/:id', {
    id: 'updateOffering',
    access: admins,
    tag,
    edits: 'offering',
    summary: 'Change an offering',
    description:
      'Changes an offering. Fields that are left out stay; `resourceIds` and `instructorOrgUserIds` replace the ' +
      'whole list. Earlier requests keep their length and price.',
    params: IdParams,
    body: OfferingPatch,
    answers: { 200: envelope(Offering) },
    errors: writeErrors,
    write: (tx, { actor, params, body: { type: _, ...changes } }) => updateOffering(tx, actor, params.id, changes),
    answer: async ({ id }, { db, actor }) => ok(offeringView(await findOffering(db, actor.organizationId, id))),
  })

  on.delete('/offerings/:id', {
    id: 'deleteOffering',
    access: admins,
    tag,
    edits: 'offering',
    summary: 'Delete an offering',
    description: 'Deletes an offering. Its requests stay and can still be decided.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteOffering(tx, actor, params.id),
    answer: () => done(),
  })
}
