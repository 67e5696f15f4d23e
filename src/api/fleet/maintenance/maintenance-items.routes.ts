import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { addMaintenanceItem } from '../../../shared/fleet/maintenance/add-maintenance-item.ts'
import {
  changeMaintenanceItem,
  deleteMaintenanceItem,
} from '../../../shared/fleet/maintenance/change-maintenance-item.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { copyMaintenanceItems } from '../../../shared/fleet/maintenance/copy-maintenance-items.ts'
import {
  findMaintenanceItem,
  findMaintenanceItems,
  listMaintenanceItems,
} from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { CopyBody, MaintenanceItemBody, MaintenanceItemPatch, MaintenanceItemQuery } from './maintenance.schemas.ts'
import { maintenanceItemView, Reminder } from './maintenance-item.view.ts'

const tag = 'Maintenance'
const answers = { 200: envelope(Reminder) }

/** Returns a maintenance item as the response shows it. */
export async function answerItem({ db, actor, now }: Pick<Call<'member'>, 'db' | 'actor' | 'now'>, id: number) {
  return maintenanceItemView(await findMaintenanceItem(db, actor.organizationId, id), now)
}

/** The errors of the fields of a maintenance item. */
const maintenanceItemErrors = [
  fleetErrors.roomNotGrounding,
  fleetErrors.notOfThisBasis,
  fleetErrors.oneInterval,
  fleetErrors.limitTwice,
  fleetErrors.wholeLandings,
  fleetErrors.satisfiesOther,
  fleetErrors.noSuchMeter,
  fleetErrors.calendarNotDue,
  fleetErrors.meterNotDue,
  [fleetErrors.meterAnomaly, 'repeat the request with `confirmMeterAnomaly`'],
] as const

/** The endpoints of maintenance items. */
export const maintenanceItemRoutes: Routes = (on) => {
  on.get('/maintenance/reminders', {
    id: 'listMaintenanceReminders',
    access: 'member',
    tag,
    summary: 'List the maintenance reminders',
    description:
      'Lists the maintenance reminders by resource and name: inspections such as those of 14 CFR 91.409, 91.411 and ' +
      '91.413, and items of the manufacturer. `resourceId` and `status` take several values, separated by commas.',
    query: MaintenanceItemQuery,
    answers: { 200: envelope(z.array(Reminder)) },
    read: async ({ db, actor, query, now }) => {
      const filter = { resourceIds: query.resourceId, statuses: query.status }
      const items = listMaintenanceItems(db, actor.organizationId, filter, now)
      return page(await listPage(items, query, (row) => maintenanceItemView(row, now)))
    },
  })

  on.post('/maintenance/reminders', {
    id: 'createMaintenanceReminder',
    access: maintainers,
    tag,
    summary: 'Add a maintenance reminder',
    description:
      'Creates a reminder with one limit, or with several `limits`. The limit that is reached first counts. A ' +
      'limit is due as given, otherwise one interval after the work was last done; calendar months end with the ' +
      'last day of the month. While a reminder with `grounding` is overdue, the bookings of its `scope` are ' +
      'refused.\n\nIntervals of the regulations: annual inspection 12 calendar months (14 CFR 91.409(a)), 100-hour ' +
      'inspection 100 hours with `carry` (91.409(b)), altimeter and static system 24 calendar months (91.411), ' +
      'transponder 24 (91.413), emergency locator transmitter 12 (91.207(d)).',
    body: MaintenanceItemBody,
    answers: { 201: envelope(Reminder) },
    errors: [...maintenanceItemErrors, fleetErrors.limitMissing, fleetErrors.unknownResource],
    write: (tx, { actor, body: { resource, ...fields } }) =>
      addMaintenanceItem(tx, actor, { resourceId: resource.id, ...fields }),
    answer: async ({ id }, call) => created(await answerItem(call, id)),
  })

  on.post('/maintenance/reminders/copy', {
    id: 'copyMaintenanceReminders',
    access: maintainers,
    tag,
    summary: 'Copy the maintenance reminders of an aircraft to others',
    description:
      'Copies intervals, warnings, scope, `carry` and `satisfies` to other resources. The last completion is not ' +
      'copied, because it belongs to each aircraft (14 CFR 91.417(a)): copies have the status `unknown` until they are ' +
      'completed or their dates and readings are set.',
    body: CopyBody,
    answers: { 201: envelope(z.array(Reminder)) },
    errors: [
      fleetErrors.roomNotGrounding,
      fleetErrors.satisfiesOther,
      fleetErrors.copyOntoItself,
      fleetErrors.noSuchMeter,
      fleetErrors.unknownResource,
    ],
    write: (tx, { actor, body }) => copyMaintenanceItems(tx, actor, body),
    answer: async ({ ids }, { db, actor, now }) => {
      const rows = await findMaintenanceItems(db, actor.organizationId, ids)
      return created(rows.map((row) => maintenanceItemView(row, now)))
    },
  })

  on.get('/maintenance/reminders/:id', {
    id: 'readMaintenanceReminder',
    access: 'member',
    tag,
    summary: 'Read a maintenance reminder',
    description:
      'Returns the reminder with its limits. The limit that is reached first counts, as for the inspections of 14 ' +
      'CFR 91.409.',
    params: IdParams,
    answers,
    errors: [fleetErrors.noSuchMaintenanceItem],
    read: async (call) => ok(await answerItem(call, call.params.id)),
  })

  on.patch('/maintenance/reminders/:id', {
    id: 'updateMaintenanceReminder',
    access: maintainers,
    tag,
    edits: 'maintenance_item',
    summary: 'Change a maintenance reminder',
    description:
      'Changes the fields that are sent; the resource cannot change. A new interval or a new last completion ' +
      'recalculates the due date or reading, unless the request sets it. `limits` replaces the list of limits; a ' +
      'limit whose basis stays keeps the fields that are left out. `carry` is the rule of the 100-hour inspection ' +
      '(14 CFR 91.409(b)).',
    params: IdParams,
    body: MaintenanceItemPatch,
    answers,
    errors: [...maintenanceItemErrors, fleetErrors.severalLimits, fleetErrors.noSuchMaintenanceItem],
    write: (tx, { actor, params, body }) => changeMaintenanceItem(tx, actor, params.id, body),
    answer: async ({ id }, call) => ok(await answerItem(call, id)),
  })

  on.delete('/maintenance/reminders/:id', {
    id: 'deleteMaintenanceReminder',
    access: maintainers,
    tag,
    edits: 'maintenance_item',
    summary: 'Delete a maintenance reminder',
    description: 'Deletes the reminder with its history.',
    params: IdParams,
    answers: { 204: null },
    errors: [fleetErrors.noSuchMaintenanceItem],
    write: (tx, { actor, params }) => deleteMaintenanceItem(tx, actor, params.id),
    answer: () => done(),
  })
}
