import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { maintenanceScopes } from '../resources/resource.rules.ts'
import type { ExcludedOperation } from './deferral.rules.ts'
import { maintenanceStatuses } from './maintenance-item.rules.ts'

export const squawkSeverities = ['observation', 'grounding'] as const
export const squawkStatuses = ['open', 'in_progress', 'deferred', 'resolved'] as const

/**
 * A reported defect. The system holds the resource while a grounding squawk is open or in progress, and when a deferral
 * has ended. `deferralEnded`: the end of the deferral was handled.
 */
export const Squawk = defineEntity({
  name: 'Squawk',
  tableName: 'squawk',
  properties: {
    ...tenantRecord,
    resourceId: p.integer(),
    title: p.text(),
    description: p.text().nullable(),
    severity: p.enum(squawkSeverities),
    status: p.enum(squawkStatuses).default('open'),
    reportedBy: p.integer(),
    reservationId: p.integer().nullable(),
    /** The last local day of the deferral, YYYY-MM-DD; null: it has no end. */
    deferredUntil: p.text().nullable(),
    deferralReference: p.text().nullable(),
    placarded: p.boolean().default(false),
    /** What the aircraft may not be used for while it is deferred. */
    excludedOperations: p.json<readonly ExcludedOperation[]>().default([]),
    deferralEnded: p.boolean().default(false),
    resolution: p.text().nullable(),
    resolvedBy: p.integer().nullable(),
    resolvedAt: instant().nullable(),
  },
})
export type Squawk = InferEntity<typeof Squawk>

/**
 * A maintenance item that comes due repeatedly, by the first of its limits (`maintenance_limit`). While a grounding
 * item is overdue, the system holds the bookings of its `scope`; the scope `all` grounds the resource. With `carry`,
 * hours past a due reading count into the next interval. `warnHundredths` is the warning of every limit by a meter.
 * `toldStatus` is the status of the last notification.
 */
export const MaintenanceItem = defineEntity({
  name: 'MaintenanceItem',
  tableName: 'maintenance_reminder',
  properties: {
    ...tenantRecord,
    resourceId: p.integer(),
    name: p.text(),
    warnDays: p.smallint(),
    warnHundredths: p.integer().$type<Hundredths>(),
    grounding: p.boolean().default(false),
    carry: p.boolean().default(false),
    scope: p.enum(maintenanceScopes).default('all'),
    toldStatus: p.enum(maintenanceStatuses).default('ok'),
  },
})
export type MaintenanceItem = InferEntity<typeof MaintenanceItem>
