import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { createLocation, deleteLocation, updateLocation } from '../../../shared/identity/locations/write-location.ts'
import { findLocation, listLocations } from '../../../shared/identity/organizations/organization.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { Location, locationView } from './location.view.ts'
import { LocationBody, LocationPatch } from './locations.schemas.ts'

const tag = 'Locations'

export const locationRoutes: Routes = (on) => {
  on.get('/locations', {
    id: 'listLocations',
    access: 'member',
    tag,
    summary: 'List the locations',
    description:
      'Lists the locations, oldest first. The time zone of the first one is the time zone of the organization.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Location)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listLocations(db, actor.organizationId), query, locationView)),
  })

  on.post('/locations', {
    id: 'createLocation',
    access: admins,
    tag,
    summary: 'Add a location',
    description: 'Creates a location of the organization.',
    body: LocationBody,
    answers: { 201: envelope(Location) },
    write: (tx, { actor, body }) => createLocation(tx, actor, body),
    answer: async ({ id }, { db, actor }) => created(locationView(await findLocation(db, actor.organizationId, id))),
  })

  on.get('/locations/:id', {
    id: 'readLocation',
    access: 'member',
    tag,
    summary: 'Read a location',
    description: 'Returns one location.',
    params: IdParams,
    answers: { 200: envelope(Location) },
    read: async ({ db, actor, params }) => ok(locationView(await findLocation(db, actor.organizationId, params.id))),
  })

  on.patch('/locations/:id', {
    id: 'updateLocation',
    access: admins,
    tag,
    edits: 'location',
    summary: 'Change a location',
    description:
      'Changes the fields that are sent. A new time zone of the first location becomes the time zone of the ' +
      'organization. The instants of bookings do not change.',
    params: IdParams,
    body: LocationPatch,
    answers: { 200: envelope(Location) },
    write: (tx, { actor, params, body }) => updateLocation(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(locationView(await findLocation(db, actor.organizationId, id))),
  })

  on.delete('/locations/:id', {
    id: 'deleteLocation',
    access: admins,
    tag,
    edits: 'location',
    summary: 'Delete a location',
    description: 'Deletes a location that no other record uses.',
    params: IdParams,
    answers: { 204: null },
    errors: [identityErrors.locationInUse, platformErrors.stillInUse],
    write: (tx, { actor, params }) => deleteLocation(tx, actor, params.id),
    answer: () => done(),
  })
}
