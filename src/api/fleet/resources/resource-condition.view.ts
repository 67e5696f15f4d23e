import { z } from 'zod'
import { listMaintenanceItems } from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { listSquawks } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import type { Call } from '../../http/endpoint.ts'
import { maintenanceItemView, Reminder } from '../maintenance/maintenance-item.view.ts'
import { Squawk, squawkView } from '../maintenance/squawk.view.ts'
import { Resource } from './resource.view.ts'

/** A resource with its open squawks and due maintenance items. */
export const ResourceDetail = Resource.extend({
  squawks: z.array(Squawk).optional().describe('The open squawks. Only for staff and technicians; left out for others'),
  reminders: z
    .array(Reminder)
    .optional()
    .describe('The reminders that are due soon or overdue. Only for staff and technicians; left out for others'),
}).meta({ id: 'ResourceDetail' })

/** The most squawks and the most items in one response. */
const MOST = 100

/**
 * Returns the open squawks and due items of a resource when the reader is staff or a technician; otherwise an empty
 * object.
 */
export async function conditionOf(
  { db, actor, now }: Pick<Call<'member'>, 'db' | 'actor' | 'now'>,
  resourceId: number,
) {
  if (!is(actor, [...staff, 'technician'])) return {}
  const resourceIds = [resourceId]
  const [squawks, reminders] = await Promise.all([
    listSquawks(db, actor.organizationId, { resourceIds, statuses: ['open'] }).slice(0, MOST),
    listMaintenanceItems(db, actor.organizationId, { resourceIds, statuses: ['due_soon', 'overdue'] }, now).slice(
      0,
      MOST,
    ),
  ])
  return { squawks: squawks.map(squawkView), reminders: reminders.map((row) => maintenanceItemView(row, now)) }
}
