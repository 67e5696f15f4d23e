import { type InferEntity, p } from '@mikro-orm/core'
import { fileColumns, instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Hundredths, Tenths } from '../platform/kernel/units.ts'
import type { BeforeCompletion } from './maintenance/completion.rules.ts'
import type { ExcludedOperation } from './maintenance/deferral.rules.ts'
import { limitBases, maintenanceStatuses } from './maintenance/maintenance-item.rules.ts'
import { maintenanceKinds } from './maintenance/maintenance-kind.rules.ts'
import {
  fileCategories,
  fileVisibilities,
  type MaintenanceHold,
  maintenanceScopes,
  type ResourceTraits,
  resourceKinds,
} from './resources/resource.rules.ts'

/**
 * Who grounded a resource. A person's grounding stays until a person ends it; a system hold ends when no reason for it
 * is left.
 */
export const groundedBy = ['person', 'system'] as const

/**
 * An aircraft, simulator or room. Meters are in hundredths of an hour, rates in cents per hour. Foreign keys refer to a
 * resource by (organization_id, id).
 */
export const Resource = aggregate('resource', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    /** The key of the resource in the school's own system. */
    externalId: p.text().nullable(),
    kind: p.enum(resourceKinds),
    locationId: p.integer(),
    traits: p.json<ResourceTraits>(),
    serialNumber: p.text().nullable(),
    year: p.integer().nullable(),
    tailNumber: p.text().nullable(),
    make: p.text().nullable(),
    model: p.text().nullable(),
    /** The name of the aircraft or simulators that a booking need not tell apart; compared without case. */
    pool: p.text().nullable(),
    /** What names its make and model in endorsements; empty: the names by default. */
    endorsedAs: p.json<readonly string[]>().defaultRaw("'[]'"),
    flyingDayStartMinute: p.smallint().nullable(),
    flyingDayEndMinute: p.smallint().nullable(),
    dryRateCents: p.integer().$type<Cents>().nullable(),
    wetRateCents: p.integer().$type<Cents>().nullable(),
    overnightMinimumTenths: p.integer().$type<Tenths>().nullable(),
    billByHobbsTime: p.boolean().default(true),
    groundedByPerson: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    /** The reasons of the system hold; null when there is none. */
    systemHoldReason: p.text().nullable(),
    /** The overdue grounding maintenance items, each with the scope of the bookings that it holds. */
    holds: p.json<MaintenanceHold[]>().defaultRaw("'[]'"),
    fuelEngine1: p.integer().nullable(),
    fuelEngine2: p.integer().nullable(),
    fuelUpdatedAt: instant().nullable(),
    hobbsHundredths: p.integer().$type<Hundredths>().nullable(),
    tachHundredths: p.integer().$type<Hundredths>().nullable(),
    /** The total number of landings: the last reported count and the later landings of the flight logs. */
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
    /** From this instant, the file no longer counts when the aircraft is released for a flight. */
    expiresAt: instant().nullable(),
    /** The squawk that the file belongs to; null when it belongs to none. */
    squawkId: p.integer().nullable(),
    /** The completed maintenance that the file belongs to; null when it belongs to none. */
    completionId: p.integer().nullable(),
    deletedAt: instant().nullable(),
  },
})

export const squawkSeverities = ['observation', 'grounding'] as const
export const squawkStatuses = ['open', 'in_progress', 'deferred', 'resolved'] as const

/**
 * A reported defect. The system holds the resource while a grounding squawk is open or in progress, and after a
 * deferral has ended. `deferralEnded` is set when the last day of the deferral is past, or when an inspection was
 * completed without a decision on the squawk.
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
    /** The operations that are not allowed with the aircraft while the squawk is deferred. */
    excludedOperations: p.json<readonly ExcludedOperation[]>().default([]),
    deferralEnded: p.boolean().default(false),
    resolution: p.text().nullable(),
    resolvedBy: member.act('work', 'others').nullable(),
    resolvedAt: instant().nullable(),
  },
})
export type Squawk = InferEntity<typeof Squawk>

/**
 * A maintenance item. It is due when the first of its limits (`maintenance_limit`) is reached. While a grounding item
 * is overdue, the system holds the bookings of its `scope`; the scope `all` grounds the resource. With `carry`, the
 * next interval starts at the due reading when the work was done late. `warnDays` applies to calendar limits,
 * `warnHundredths` to limits by a meter. `notifiedStatus` is the status at the last review for notifications.
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
    /** Which inspection it is, for practical tests. */
    kind: p.enum(maintenanceKinds).default('other'),
    notifiedStatus: p.enum(maintenanceStatuses).default('ok'),
  },
})
export type MaintenanceItem = InferEntity<typeof MaintenanceItem>

/** A completion of the item `reminderId` also completes the item `satisfiedId` of the same aircraft. */
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
    /** The item whose completion also completed this one; null when this one was completed directly. */
    satisfiedById: p.integer().nullable(),
    /** What the completion changed. Null when version 0.1.0 recorded it, or when it was satisfied by another one. */
    before: p.json<BeforeCompletion>().nullable(),
  },
})

/** The reversal of a completion that was undone. The completion stays. */
export const MaintenanceReversal = log('maintenance_reversal', {
  exported: true,
  rights: 'insert only',
  columns: {
    ...tenantRecord,
    completionId: p.integer(),
    membershipId: member.act('work', 'others'),
    reason: p.text(),
  },
})

export const replaceableMeters = ['hobbs', 'tach'] as const
export type ReplaceableMeter = (typeof replaceableMeters)[number]

/**
 * The replacement of a meter: the last reading of the old meter and the first reading of the new one, in hundredths of
 * an hour.
 */
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
