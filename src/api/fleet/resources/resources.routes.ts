import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { updateResource } from '../../../shared/fleet/maintenance/update-resource.ts'
import { groundResource, reportFuel } from '../../../shared/fleet/resources/change-resource.ts'
import { createResource, deleteResource } from '../../../shared/fleet/resources/create-resource.ts'
import { findResource, listResources, type ResourceFilter } from '../../../shared/fleet/resources/resource.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findRecoveryRequest } from '../../../shared/scheduling/recoveries/find-recovery-request.ts'
import { type Answer, created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { type ListParameters, ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { ChangedResource, Resource, resourceView } from './resource.view.ts'
import { conditionOf, ResourceDetail } from './resource-condition.view.ts'
import {
  FlyingResourceQuery,
  FuelBody,
  GroundingBody,
  ResourceBody,
  ResourcePatch,
  RoomQuery,
} from './resources.schemas.ts'

const tag = 'Resources'
const answers = { 200: envelope(Resource) }
const changedAnswers = { 200: envelope(ChangedResource) }
const listAnswers = { 200: envelope(z.array(Resource)) }

const placement =
  '`type` has one object, with the fields that only this kind of resource has; all other fields are beside `type`. ' +
  'The meters `hobbsTime` and `tachTime` are accepted in both places, and two different values are 400. Answers show ' +
  'them beside `type`.'

type Reader = Pick<Call<'member'>, 'db' | 'actor'>

interface KindQuery extends ListParameters {
  q?: string | undefined
  grounded?: boolean | undefined
  locationId?: number[] | undefined
}

async function list({ db, actor }: Reader, query: KindQuery, kind?: ResourceFilter['kind']): Promise<Answer> {
  const { q, grounded, locationId } = query
  const resources = listResources(db, actor.organizationId, { kind, q, grounded, locationIds: locationId })
  return page(await listPage(resources, query, resourceView))
}

async function one({ db, actor }: Reader, id: number) {
  return resourceView(await findResource(db, actor.organizationId, id))
}

/** Returns a changed resource; one that is grounded has the request that plans other places for its bookings. */
async function changed(call: Reader & { now: Date }, id: number, isGrounded: boolean | null | undefined) {
  const offered = isGrounded ? await findRecoveryRequest(call.db, call.actor, call.now, { resourceIds: [id] }) : {}
  return { ...(await one(call, id)), ...offered }
}

/** The errors of the fields of a resource. */
const resourceErrors = [
  identityErrors.unknownLocation,
  fleetErrors.roomGrounded,
  fleetErrors.severalKinds,
  fleetErrors.saysOtherwise,
  fleetErrors.oneEngine,
  fleetErrors.flyingDayHalf,
  fleetErrors.flyingDayEmpty,
  fleetErrors.roomInPool,
  fleetErrors.poolDiffers,
] as const

/** The endpoints of resources. Implements interface §Resources. */
export const resourceRoutes: Routes = (on) => {
  on.get('/resources', {
    id: 'listResources',
    access: 'member',
    tag,
    summary: 'List all resources',
    description: 'Lists aircraft, simulators and rooms by name.',
    query: ListQuery,
    answers: listAnswers,
    read: async (call) => list(call, call.query),
  })

  on.get('/resources/aircraft', {
    id: 'listAircraft',
    access: 'member',
    tag,
    summary: 'List the aircraft',
    description: 'Lists the aircraft by name.',
    query: FlyingResourceQuery,
    answers: listAnswers,
    read: async (call) => list(call, call.query, 'plane'),
  })

  on.get('/resources/simulators', {
    id: 'listSimulators',
    access: 'member',
    tag,
    summary: 'List the simulators',
    description: 'Lists the simulators by name.',
    query: FlyingResourceQuery,
    answers: listAnswers,
    read: async (call) => list(call, call.query, 'simulator'),
  })

  on.get('/resources/rooms', {
    id: 'listRooms',
    access: 'member',
    tag,
    summary: 'List the rooms',
    description: 'Lists the rooms by name.',
    query: RoomQuery,
    answers: listAnswers,
    read: async (call) => list(call, call.query, 'room'),
  })

  on.post('/resources', {
    id: 'createResource',
    access: admins,
    tag,
    summary: 'Add a resource',
    description: `Creates an aircraft, simulator or room. ${placement}`,
    body: ResourceBody,
    answers: { 201: envelope(Resource) },
    errors: resourceErrors,
    write: (tx, { actor, body }) => createResource(tx, actor, body),
    answer: async ({ id }, call) => created(await one(call, id)),
  })

  on.get('/resources/:id', {
    id: 'readResource',
    access: 'member',
    tag,
    summary: 'Read a resource',
    description:
      'Returns the resource. Staff and technicians also get its open squawks, and the maintenance reminders that are ' +
      'due soon or overdue.',
    params: IdParams,
    answers: { 200: envelope(ResourceDetail) },
    read: async (call) => ok({ ...(await one(call, call.params.id)), ...(await conditionOf(call, call.params.id)) }),
  })

  on.patch('/resources/:id', {
    id: 'updateResource',
    access: admins,
    tag,
    edits: 'resource',
    summary: 'Change a resource',
    description:
      'Changes the fields that are sent. `type` is required; `{ "plane": {} }` changes no field that only aircraft ' +
      'have. A key that is left out keeps the stored value. So does null, unless the field says otherwise. For ' +
      '`tailNumber`, `make` and `model` an empty text is stored as an empty text.',
    params: IdParams,
    body: ResourcePatch,
    answers: changedAnswers,
    errors: [...resourceErrors, fleetErrors.kindFixed],
    write: (tx, { actor, params, body }) => updateResource(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await changed(call, id, call.body.grounded)),
  })

  on.delete('/resources/:id', {
    id: 'deleteResource',
    access: admins,
    tag,
    edits: 'resource',
    summary: 'Delete a resource',
    description: 'Deletes the resource with its approvals and files. A resource with bookings cannot be deleted.',
    params: IdParams,
    answers: { 204: null },
    errors: [fleetErrors.resourceBookedAhead, platformErrors.stillInUse],
    write: (tx, { actor, params }) => deleteResource(tx, actor, params.id),
    answer: () => done(),
  })

  on.post('/resources/:id/fuel', {
    id: 'reportFuel',
    access: 'member',
    tag,
    summary: 'Record the fuel on board',
    description:
      'Records the fuel of each engine in whole units of the aircraft (`type.plane.fuelUnits`). When only one ' +
      'engine is sent, the other keeps its value.',
    params: IdParams,
    body: FuelBody,
    answers,
    errors: [fleetErrors.takesNoFuel, fleetErrors.oneEngine],
    write: (tx, { actor, params, body }) => reportFuel(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await one(call, id)),
  })

  on.patch('/resources/:id/grounding', {
    id: 'setGrounding',
    access: [...admins, 'technician'],
    tag,
    summary: 'Ground a resource, or return it to service',
    description:
      'Grounds the resource, or ends the grounding by a person. A grounding by the system (`groundedBy: system`) ' +
      'ends only when its causes are gone; until then the answer still has `grounded: true`. Rooms cannot be ' +
      'grounded.',
    params: IdParams,
    body: GroundingBody,
    answers: changedAnswers,
    errors: [
      fleetErrors.roomGrounded,
      [platformErrors.notAllowed, 'another role, or an aircraft of another organization'],
    ],
    write: (tx, { actor, params, body }) => groundResource(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await changed(call, id, call.body.grounded)),
  })
}
