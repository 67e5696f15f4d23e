import { type InferEntity, p } from '@mikro-orm/core'
import { fileColumns, instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Hundredths, Tenths } from '../platform/kernel/units.ts'
import type { ExcludedOperation } from './maintenance/deferral.rules.ts'
import { limitBases, maintenanceStatuses } from './maintenance/maintenance-item.rules.ts'
import {
  fileCategories,
  fileVisibilities,
  type MaintenanceHold,
  maintenanceScopes,
  type ResourceTraits,
  resourceKinds,
} from './resources/resource.rules.ts'

/** Who grounded a resource: a person, who has to end it, or the system, whose hold ends by itself. */
export const groundedBy = ['person', 'system'] as const

/**
 * An aircraft, simulator or room. Meters are hundredths of an hour; rates are cents an hour. Foreign keys refer to a
 * resource by (organization_id, id).
 */
export const Resource = aggregate('resource', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    /** What the school's own system calls it. */
    externalId: p.text().nullable(),
    kind: p.enum(resourceKinds),
    locationId: p.integer(),
    traits: p.json<ResourceTraits>(),
    serialNumber: p.text().nullable(),
    year: p.integer().nullable(),
    tailNumber: p.text().nullable(),
    make: p.text().nullable(),
    model: p.text().nullable(),
    flyingDayStartMinute: p.smallint().nullable(),
    flyingDayEndMinute: p.smallint().nullable(),
    dryRateCents: p.integer().$type<Cents>().nullable(),
    wetRateCents: p.integer().$type<Cents>().nullable(),
    overnightMinimumTenths: p.integer().$type<Tenths>().nullable(),
    billByHobbsTime: p.boolean().default(true),
    groundedByPerson: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    /** The reasons of the system hold; null when nothing is outstanding. */
    systemHoldReason: p.text().nullable(),
    /** The overdue grounding items, with the bookings that each holds. */
    holds: p.json<MaintenanceHold[]>().defaultRaw("'[]'"),
    fuelEngine1: p.integer().nullable(),
    fuelEngine2: p.integer().nullable(),
    fuelUpdatedAt: instant().nullable(),
    hobbsHundredths: p.integer().$type<Hundredths>().nullable(),
    tachHundredths: p.integer().$type<Hundredths>().nullable(),
    /** Its total landings: the reported count and those of the flight log since. */
    landings: p.integer().default(0),
  },
})
export type Resource = InferEntity<typeof Resource>

/** A file of an aircraft. A deleted file keeps its row; its bytes are deleted. */
export const ResourceFile = set('resource_file', {
  exported: true,
  columns: {
    ...tenantRecord,
    ...fileColumns,
    resourceId: p.integer(),
    category: p.enum(fileCategories),
    visibility: p.enum(fileVisibilities),
    label: p.text().nullable(),
    /** The instant from which it no longer counts for a release. */
    expiresAt: instant().nullable(),
    /** The squawk that it belongs to; null for a file of the aircraft itself. */
    squawkId: p.integer().nullable(),
    /** The completed maintenance that it belongs to; null for a file of the aircraft itself. */
    completionId: p.integer().nullable(),
    deletedAt: instant().nullable(),
  },
})

export const squawkSeverities = ['observation', 'grounding'] as const
export const squawkStatuses = ['open', 'in_progress', 'deferred', 'resolved'] as const

/**
 * A reported defect. The system holds the resource while a grounding squawk is open or in progress, and when a deferral
 * has ended. `deferralEnded`: the end of the deferral was handled.
 */
export const Squawk = aggregate('squawk', {
  exported: true,
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    resourceId: p.integer(),
    title: p.text(),
    description: p.text().nullable(),
    severity: p.enum(squawkSeverities),
    status: p.enum(squawkStatuses).default('open'),
    reportedBy: member.act('work', 'others'),
    reservationId: p.integer().nullable(),
    /** The last local day of the deferral, YYYY-MM-DD; null: it has no end. */
    deferredUntil: p.text().nullable(),
    deferralReference: p.text().nullable(),
    placarded: p.boolean().default(false),
    /** What the aircraft may not be used for while it is deferred. */
    excludedOperations: p.json<readonly ExcludedOperation[]>().default([]),
    deferralEnded: p.boolean().default(false),
    resolution: p.text().nullable(),
    resolvedBy: member.act('work', 'others').nullable(),
    resolvedAt: instant().nullable(),
  },
})
export type Squawk = InferEntity<typeof Squawk>

/**
 * A maintenance item that comes due repeatedly, by the first of its limits (`maintenance_limit`). While a grounding
 * item is overdue, the system holds the bookings of its `scope`; the scope `all` grounds the resource. With `carry`,
 * hours past a due reading count into the next interval. `warnHundredths` is the warning of every limit by a meter.
 * `notifiedStatus` is the status of the last notification.
 */
export const MaintenanceItem = aggregate('maintenance_item', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    resourceId: p.integer(),
    name: p.text(),
    warnDays: p.smallint(),
    warnHundredths: p.integer().$type<Hundredths>(),
    grounding: p.boolean().default(false),
    carry: p.boolean().default(false),
    scope: p.enum(maintenanceScopes).default('all'),
    notifiedStatus: p.enum(maintenanceStatuses).default('ok'),
  },
})
export type MaintenanceItem = InferEntity<typeof MaintenanceItem>

/** An item, and another item of the same aircraft that its completion satisfies. */
export const MaintenanceSatisfaction = set('maintenance_satisfaction', {
  exported: true,
  columns: { ...tenantRecord, reminderId: p.integer(), satisfiedId: p.integer() },
})

/**
 * One limit of a maintenance item, at most one per basis. Figures of a meter are hundredths of an hour or of a landing;
 * they can be below zero after the meter was replaced.
 */
export const MaintenanceLimit = set('maintenance_limit', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    reminderId: p.integer(),
    basis: p.enum(limitBases),
    intervalMonths: p.smallint().nullable(),
    intervalDays: p.smallint().nullable(),
    intervalHundredths: p.integer().$type<Hundredths>().nullable(),
    lastDoneAt: instant().nullable(),
    lastDoneHundredths: p.integer().$type<Hundredths>().nullable(),
    dueAt: instant().nullable(),
    dueHundredths: p.integer().$type<Hundredths>().nullable(),
    usedHundredths: p.integer().$type<Hundredths>().nullable(),
  },
})

/** One completion of a maintenance item. */
export const MaintenanceCompletion = set('maintenance_completion', {
  exported: true,
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    reminderId: p.integer(),
    membershipId: member.act('work', 'others'),
    doneAt: instant(),
    readingHundredths: p.integer().$type<Hundredths>().nullable(),
    /** The aircraft's meters at the time of the completion. */
    hobbsHundredths: p.integer().$type<Hundredths>().nullable(),
    tachHundredths: p.integer().$type<Hundredths>().nullable(),
    landings: p.integer().nullable(),
    notes: p.text().nullable(),
    signerName: p.text().nullable(),
    signerCertificateNumber: p.text().nullable(),
    workOrder: p.text().nullable(),
    /** The item whose completion satisfied this one. */
    satisfiedById: p.integer().nullable(),
  },
})

export const replaceableMeters = ['hobbs', 'tach'] as const
export type ReplaceableMeter = (typeof replaceableMeters)[number]

/** A meter that was replaced, in hundredths of an hour. */
export const MeterChange = log('meter_change', {
  exported: true,
  rights: 'insert only',
  columns: {
    ...tenantRecord,
    resourceId: p.integer(),
    meter: p.enum(replaceableMeters),
    oldHundredths: p.integer().$type<Hundredths>(),
    newHundredths: p.integer().$type<Hundredths>(),
    reason: p.text(),
    changedBy: member.act('work', 'others'),
  },
})
