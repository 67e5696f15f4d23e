import { z } from 'zod'
import type { AffectedBooking, ClosureRow } from '../../../shared/scheduling/closures/closure.queries.ts'
import { frequencies } from '../../../shared/scheduling/rules/recurrence.rules.ts'
import { iso } from '../../http/iso.ts'
import { suggestedRecovery } from '../../http/recovery-request.ts'
import { Id, Instant, NamedReference, Person } from '../../http/schemas.ts'

const Place = NamedReference.nullable()

/** One occurrence of a closure. */
export const Closure = z
  .object({
    id: Id,
    start: Instant,
    end: Instant,
    reason: z.string(),
    location: Place.describe('The closed location; null when the closure is not for one location'),
    resource: Place.describe(
      'The closed resource; null when the closure is not for one resource. Without a location and a resource ' +
        'everything is closed',
    ),
    seriesId: Id.nullable(),
    recurrence: z
      .object({
        frequency: z.enum(frequencies),
        interval: z.int().describe('The series repeats every `interval` days, weeks or months (as `frequency` says)'),
        daysOfWeek: z.array(z.int()).nullable().describe('1 is Monday, 7 is Sunday; null when no days are given'),
        count: z.int().nullable(),
        until: Instant.nullable(),
      })
      .meta({ id: 'Recurrence' })
      .nullable(),
    createdBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Closure' })

/** A new closure, with the bookings that overlap it. */
export const NewClosure = Closure.extend({
  affected: z
    .array(z.object({ id: Id, title: z.string(), start: Instant, end: Instant, resource: Place }))
    .describe('The future bookings that overlap the closure, at most 1,000, by start. They are not cancelled'),
  affectedCount: z.int().describe('The number of all future bookings that overlap the closure'),
  recovery: suggestedRecovery,
}).meta({ id: 'NewClosure' })

/** Returns a closure as the response shows it. */
export function closureView(row: ClosureRow): z.input<typeof Closure> {
  const { recurrence } = row
  return {
    id: row.id,
    start: iso(row.start),
    end: iso(row.end),
    reason: row.reason,
    location: row.location,
    resource: row.resource,
    seriesId: row.seriesId,
    recurrence: recurrence && {
      frequency: recurrence.frequency,
      interval: recurrence.interval ?? 1,
      daysOfWeek: recurrence.daysOfWeek ? [...recurrence.daysOfWeek] : null,
      count: recurrence.count ?? null,
      until: recurrence.until === undefined ? null : iso(new Date(recurrence.until)),
    },
    createdBy: row.createdBy,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** Returns the bookings that overlap a closure, as the response shows them. */
export function affectedView({ affected, affectedCount }: { affected: AffectedBooking[]; affectedCount: number }) {
  return {
    affected: affected.map((one) => ({ ...one, start: iso(one.start), end: iso(one.end) })),
    affectedCount,
  }
}
