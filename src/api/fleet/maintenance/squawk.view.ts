import { z } from 'zod'
import { squawkSeverities, squawkStatuses } from '../../../shared/fleet/fleet.tables.ts'
import { excludedOperations } from '../../../shared/fleet/maintenance/deferral.rules.ts'
import type { SquawkRow } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { suggestedRecovery } from '../../http/recovery-request.ts'
import { Day, Id, Instant, NamedReference, Person } from '../../http/schemas.ts'
import { MaintenanceFile } from './maintenance-file.view.ts'

export const Squawk = z
  .object({
    id: Id,
    resource: NamedReference,
    title: z.string(),
    description: z.string().nullable(),
    severity: z.enum(squawkSeverities),
    status: z.enum(squawkStatuses),
    reportedBy: Person,
    reservationId: Id.nullable(),
    deferredUntil: Day.nullable().describe('The last local day of the deferral; null without one'),
    deferralReference: z.string().nullable(),
    placarded: z.boolean(),
    excludedOperations: z
      .array(z.enum(excludedOperations).meta({ choices: 'ExcludedOperation' }))
      .describe('The use for which the aircraft is not available during the deferral'),
    resolution: z.string().nullable(),
    resolvedBy: Person.nullable(),
    resolvedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Squawk' })

/** A squawk with its files. */
export const SquawkDetail = Squawk.extend({ files: z.array(MaintenanceFile) }).meta({ id: 'SquawkDetail' })

/** A new squawk, with what becomes of the bookings of its resource when it is grounded. */
export const NewSquawk = SquawkDetail.extend({ recovery: suggestedRecovery }).meta({ id: 'NewSquawk' })

/** Returns a squawk as the response shows it. */
export function squawkView(row: SquawkRow): z.input<typeof Squawk> {
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    title: row.title,
    description: row.description,
    severity: row.severity,
    status: row.status,
    reportedBy: personView(row.reported_by, row.reporter_name),
    reservationId: row.reservation_id,
    deferredUntil: row.deferred_until,
    deferralReference: row.deferral_reference,
    placarded: row.placarded,
    excludedOperations: [...row.excluded_operations],
    resolution: row.resolution,
    resolvedBy: personView(row.resolved_by, row.resolver_name),
    resolvedAt: iso(row.resolved_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
