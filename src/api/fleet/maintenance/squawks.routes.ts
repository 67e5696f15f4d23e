import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { changeSquawk, maintainers, resolveSquawk } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { reportSquawk } from '../../../shared/fleet/maintenance/report-squawk.ts'
import { findSquawk, listSquawks } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { findRecoveryRequest } from '../../../shared/scheduling/recoveries/find-recovery-request.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { ResolveBody, SquawkBody, SquawkPatch, SquawkQuery } from './maintenance.schemas.ts'
import { filesOf } from './maintenance-file.view.ts'
import { NewSquawk, Squawk, SquawkDetail, squawkView } from './squawk.view.ts'

const tag = 'Maintenance'
const answers = { 200: envelope(SquawkDetail) }

async function one(call: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now'>, id: number) {
  const row = await findSquawk(call.db, call.actor.organizationId, id)
  return { ...squawkView(row), files: (await filesOf(call, 'squawk_id', [id])).get(id) ?? [] }
}

/** The endpoints of squawks. */
export const squawkRoutes: Routes = (on) => {
  on.get('/maintenance/squawks', {
    id: 'listSquawks',
    access: 'member',
    tag,
    summary: 'List the squawks',
    description:
      'Lists the squawks, newest first. `resourceId` and `status` take several values, separated by commas. See 14 CFR ' +
      '91.405, 91.213(d).',
    query: SquawkQuery,
    answers: { 200: envelope(z.array(Squawk)) },
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
    description:
      'Reports a defect that was found between inspections (14 CFR 91.405(a)). An open squawk with `severity: ' +
      'grounding` holds the resource: only maintenance bookings are possible.',
    body: SquawkBody,
    answers: { 201: envelope(NewSquawk) },
    errors: [
      fleetErrors.unknownResource,
      fleetErrors.roomSeverity,
      fleetErrors.unknownBooking,
      fleetErrors.bookingOfOther,
    ],
    write: (tx, { actor, body }) =>
      reportSquawk(tx, actor, {
        resourceId: body.resource.id,
        title: body.title,
        description: body.description ?? null,
        severity: body.severity,
        reservationId: body.reservationId ?? null,
      }),
    answer: async ({ id }, call) => {
      const { db, actor, now, body } = call
      const grounds = body.severity === 'grounding'
      const offered = grounds ? await findRecoveryRequest(db, actor, now, { resourceIds: [body.resource.id] }) : {}
      return created({ ...(await one(call, id)), ...offered })
    },
  })

  on.get('/maintenance/squawks/:id', {
    id: 'readSquawk',
    access: 'member',
    tag,
    summary: 'Read a squawk',
    description: 'Returns the squawk with its files and its deferral (14 CFR 91.213(d)).',
    params: IdParams,
    answers,
    errors: [fleetErrors.noSuchSquawk],
    links: true,
    read: async (call) => ok(await one(call, call.params.id)),
  })

  on.patch('/maintenance/squawks/:id', {
    id: 'updateSquawk',
    access: 'member',
    tag,
    edits: 'squawk',
    summary: 'Change or defer a squawk',
    description:
      'Changes or defers a squawk that is not resolved. Admins and technicians change all fields; the reporter ' +
      'changes title, description and severity while it is open. A squawk with the status `in_progress` holds the ' +
      'resource like an `open` one. A deferred squawk does not hold the resource until the deferral ends.\n\nWithout ' +
      'a minimum equipment list, 14 CFR 91.213(d) says what may be deferred: the item is removed, or deactivated ' +
      'and placarded, and found not to be a hazard.',
    params: IdParams,
    body: SquawkPatch,
    answers,
    errors: [
      fleetErrors.notDeferred,
      fleetErrors.deferralPast,
      fleetErrors.unknownResource,
      fleetErrors.roomSeverity,
      fleetErrors.squawkOfOthers,
      fleetErrors.squawkInWork,
      fleetErrors.deferForMaintainers,
      fleetErrors.noSuchSquawk,
      fleetErrors.squawkResolved,
    ],
    write: (tx, { actor, params, body }) => changeSquawk(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await one(call, id)),
  })

  on.post('/maintenance/squawks/:id/resolve', {
    id: 'resolveSquawk',
    access: maintainers,
    tag,
    summary: 'Resolve a squawk',
    description:
      'Marks the squawk as resolved. When nothing else holds the resource, it returns to service, unless a person ' +
      'grounded it. The maintenance record itself is made under 14 CFR 43.9.',
    params: IdParams,
    body: ResolveBody,
    answers,
    errors: [fleetErrors.unknownResource, fleetErrors.noSuchSquawk, fleetErrors.squawkResolved],
    write: (tx, { actor, params, body }) => resolveSquawk(tx, actor, params.id, body.resolution),
    answer: async ({ id }, call) => ok(await one(call, id)),
  })
}
