import { z } from 'zod'
import { findBookingsAhead, findUse } from '../../../shared/fleet/maintenance/forecast.queries.ts'
import { type Expected, forecast, unknownUse } from '../../../shared/fleet/maintenance/forecast.rules.ts'
import {
  dueOf,
  findAllMaintenanceItems,
  type MaintenanceItemRow,
  metersOfRow,
} from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { limitBases } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import type { Call } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { BookingReference, Id, Instant } from '../../http/schemas.ts'
import { Meter, readingOf, remainingOf } from './maintenance-item.view.ts'

/** When a maintenance item is expected to come due. */
export const ForecastItem = z
  .object({
    reminderId: Id,
    resourceId: Id,
    name: z.string(),
    basis: z.enum(limitBases).describe('The basis of the limit that is expected to be reached first'),
    dueAt: Instant.nullable(),
    dueReading: Meter.nullable(),
    remaining: z
      .number()
      .nullable()
      .describe('What remains of that limit in local days, hours or landings; null when unknown'),
    expectedAt: Instant.nullable().describe(
      'When the limit is expected to be reached; null when it has no due date or reading, or when there are ' +
        'neither bookings nor flights to estimate by. For a reading the earlier of two estimates counts: (1) by the booked ' +
        'hours, times the aircraft’s ratio of flown to booked hours in the last 90 days (1 without flights); (2) by its ' +
        'average use per day since its first reading, over at most 90 days, when that reading is at least 7 days ago',
    ),
    reservation: BookingReference.nullable().describe(
      'The first booking during which the limit is reached; null when there is none',
    ),
  })
  .meta({ id: 'MaintenanceForecast' })

/** Returns, for each maintenance item of an organization, when it is expected to come due, the earliest first. */
export async function viewForecast(
  { db, actor, now }: Pick<Call<'member'>, 'db' | 'actor' | 'now'>,
  resourceIds: number[] | undefined,
): Promise<z.input<typeof ForecastItem>[]> {
  const { organizationId } = actor
  const items = await findAllMaintenanceItems(db, organizationId, resourceIds)
  const ids = [...new Set(items.map((item) => item.resource_id))]
  const [use, bookings] = await Promise.all([
    findUse(db, organizationId, ids, now),
    findBookingsAhead(db, organizationId, ids, now),
  ])
  const expected = items.map((item) => {
    const at = { now, meters: metersOfRow(item) }
    const known = use.get(item.resource_id) ?? unknownUse
    return { item, ...forecast(dueOf(item), at, bookings.get(item.resource_id) ?? [], known) }
  })
  const time = ({ expectedAt }: Expected) => expectedAt?.getTime() ?? Infinity
  const earliestFirst = expected.toSorted((a, b) => (time(a) === time(b) ? a.item.id - b.item.id : time(a) - time(b)))
  return earliestFirst.map((one) => itemView(one.item, one, now))
}

function itemView(item: MaintenanceItemRow, { limit, expectedAt, reservation }: Expected, now: Date) {
  return {
    reminderId: item.id,
    resourceId: item.resource_id,
    name: item.name,
    basis: limit.basis,
    dueAt: iso(limit.dueAt),
    dueReading: readingOf(limit.due),
    remaining: remainingOf(limit, { now, meters: metersOfRow(item) }, item.zone),
    expectedAt: iso(expectedAt),
    reservation: reservation && { id: reservation.id, start: iso(reservation.start) },
  }
}
