import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { findAffected, findClosure, listClosures } from '../../../shared/scheduling/closures/closure.queries.ts'
import { deleteClosure } from '../../../shared/scheduling/closures/write-closure.ts'
import { findRecoveryRequest } from '../../../shared/scheduling/recoveries/find-recovery-request.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { closeTimes } from '../../../shared/workflows/close-times.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams, InstantInput, note, QueryFlag, QueryIds, ZoneName } from '../../http/schemas.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { RecurrenceInput } from '../rules/recurrence.schemas.ts'
import { affectedView, Closure, closureView, NewClosure } from './closure.view.ts'

const tag = 'Rules'
const DAY_MS = 86_400_000
/** The longest closure in days. */
const MOST_DAYS = 366

const ClosureBody = z
  .object({
    start: InstantInput,
    end: InstantInput,
    reason: note(1000),
    locationId: Id.nullish().describe(
      'The location to close. The closure applies to bookings at the location, and to bookings of resources that are ' +
        'based there',
    ),
    resourceId: Id.nullish().describe('The resource to close. Without a location and a resource, everything is closed'),
    recurrence: RecurrenceInput.nullish(),
    timeZoneName: ZoneName.nullish().describe(
      'The time zone of the recurrence. Default: that of the location, of the resource’s location, or of the ' +
        'organization',
    ),
  })
  .refine(({ start, end }) => start < end, { path: ['end'], message: fieldErrors.after({ other: 'start' }) })
  .refine(({ start, end }) => end.getTime() - start.getTime() <= MOST_DAYS * DAY_MS, {
    path: ['end'],
    message: fieldErrors.daysAfter({ days: MOST_DAYS, other: 'start' }),
  })
  .refine(({ locationId, resourceId }) => locationId == null || resourceId == null, {
    path: ['resourceId'],
    message: fieldErrors.notBesideLocation(),
  })

const ClosureQuery = ListQuery.extend({
  ...openWindow,
  locationId: QueryIds.optional().describe('Closures of these locations'),
  resourceId: QueryIds.optional().describe('Closures of these resources'),
})

/** The endpoints of closures. The rule `closed_period` refuses bookings by them. Implements interface §Closures. */
export const closureRoutes: Routes = (on) => {
  on.get('/closures', {
    id: 'listClosures',
    access: 'member',
    tag,
    summary: 'List closures',
    description: 'Lists closures by start, one row per occurrence. A window selects the occurrences that overlap it.',
    query: ClosureQuery,
    answers: { 200: envelope(z.array(Closure)) },
    read: async ({ db, actor, query }) => {
      const { locationId: locationIds, resourceId: resourceIds } = query
      const filter = { ...windowOf(query, actor), locationIds, resourceIds }
      return page(await listPage(listClosures(db, actor.organizationId, filter), query, closureView))
    },
  })

  on.post('/closures', {
    id: 'createClosure',
    access: deskStaff,
    tag,
    rateLimit: { account: 'closures' },
    summary: 'Close the school, a location or a resource',
    description:
      'Creates a closure. While it lasts, the rule `closed_period` applies to every booking except maintenance. ' +
      'Existing bookings stay; `affected` lists them. For a series, the answer is its first occurrence.',
    body: ClosureBody,
    answers: { 201: envelope(NewClosure) },
    errors: [identityErrors.unknownLocation, fleetErrors.unknownResource, schedulingErrors.tooManyClosures],
    write: (tx, { actor, body }) =>
      closeTimes(tx, actor, {
        start: body.start,
        end: body.end,
        reason: body.reason,
        zone: body.timeZoneName ?? null,
        locationId: body.locationId ?? null,
        resourceId: body.resourceId ?? null,
        recurrence: body.recurrence ?? null,
      }),
    answer: async ({ ids }, { db, actor, now }) => {
      const [row, covered] = await Promise.all([
        findClosure(db, actor.organizationId, ids[0]!),
        findAffected(db, actor.organizationId, ids, now),
      ])
      const offered = await findRecoveryRequest(
        db,
        actor,
        now,
        { closureId: row.id },
        { start: row.start, end: row.end },
      )
      return created({ ...closureView(row), ...affectedView(covered), ...offered })
    },
  })

  on.get('/closures/:id', {
    id: 'readClosure',
    access: 'member',
    tag,
    summary: 'Read a closure',
    description: 'Returns one occurrence of a closure.',
    params: IdParams,
    answers: { 200: envelope(Closure) },
    read: async ({ db, actor, params }) => ok(closureView(await findClosure(db, actor.organizationId, params.id))),
  })

  on.delete('/closures/:id', {
    id: 'deleteClosure',
    access: deskStaff,
    tag,
    summary: 'Delete a closure',
    description: 'Deletes a closure, so that bookings can be made again.',
    params: IdParams,
    query: z.object({
      series: QueryFlag.default(false).describe('`true` also deletes the later closures of its series'),
    }),
    answers: { 204: null },
    write: (tx, { actor, params, query }) => deleteClosure(tx, actor, params.id, query.series),
    answer: () => done(),
  })
}
