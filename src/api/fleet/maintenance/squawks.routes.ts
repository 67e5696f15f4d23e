import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { changeSquawk, maintainers, resolveSquawk } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { reportSquawk } from '../../../shared/fleet/maintenance/report-squawk.ts'
import { findSquawk, listSquawks } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { ResolveBody, SquawkBody, SquawkPatch, SquawkQuery } from './maintenance.schemas.ts'
import { Squawk, squawkView } from './squawk.view.ts'

const tag = 'Maintenance'
const answers = { 200: envelope(Squawk) }
const notFound = 'No such squawk'
const resolved = [fleetErrors.squawkResolved]

/** The endpoints of squawks. */
export const squawkRoutes: Routes = (on) => {
  on.get('/maintenance/squawks', {
    id: 'listSquawks',
    access: 'member',
    tag,
    summary: 'List the squawks',
    description: 'Newest first. `resourceId` and `status` take several, separated by commas.',
    query: SquawkQuery,
    answers: { 200: envelope(z.array(Squawk)) },
    errors: { 400: 'A list parameter is wrong' },
    read: async ({ db, actor, query }) => {
      const filter = { resourceIds: query.resourceId, statuses: query.status }
      return page(await listPage(listSquawks(db, actor.organizationId, filter), query, squawkView))
    },
  })

  on.post('/maintenance/squawks', {
    id: 'reportSquawk',
    access: 'member',
    tag,
    summary: 'Report a squawk',
    description: 'An open grounding one is a hold of the system: the resource takes maintenance bookings only.',
    body: SquawkBody,
    answers: { 201: envelope(Squawk) },
    errors: { 400: 'A field is missing or wrong, or there is no such resource or booking' },
    write: (tx, { actor, body }) =>
      reportSquawk(tx, actor, {
        resourceId: body.resource.id,
        title: body.title,
        description: body.description ?? null,
        severity: body.severity,
        reservationId: body.reservationId ?? null,
      }),
    answer: async ({ id }, { db, actor }) => created(squawkView(await findSquawk(db, actor.organizationId, id))),
  })

  on.get('/maintenance/squawks/:id', {
    id: 'readSquawk',
    access: 'member',
    tag,
    summary: 'Read a squawk',
    params: IdParams,
    answers,
    errors: { 404: notFound },
    read: async ({ db, actor, params }) => ok(squawkView(await findSquawk(db, actor.organizationId, params.id))),
  })

  on.patch('/maintenance/squawks/:id', {
    id: 'updateSquawk',
    access: 'member',
    tag,
    edits: 'squawk',
    summary: 'Change or defer a squawk',
    description: 'Its reporter while it is open, admins and technicians. Deferring a grounding one releases the hold.',
    params: IdParams,
    body: SquawkPatch,
    answers,
    errors: { 400: 'A field is wrong', 403: 'Neither its reporter nor maintenance', 404: notFound, 409: resolved },
    write: (tx, { actor, params, body }) => changeSquawk(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(squawkView(await findSquawk(db, actor.organizationId, id))),
  })

  on.post('/maintenance/squawks/:id/resolve', {
    id: 'resolveSquawk',
    access: maintainers,
    tag,
    summary: 'Resolve a squawk',
    description: 'The last hold that goes returns the resource to service, unless a person grounded it.',
    params: IdParams,
    body: ResolveBody,
    answers,
    errors: { 400: 'No resolution', 404: notFound, 409: resolved },
    write: (tx, { actor, params, body }) => resolveSquawk(tx, actor, params.id, body.resolution),
    answer: async ({ id }, { db, actor }) => ok(squawkView(await findSquawk(db, actor.organizationId, id))),
  })
}
