import { type InferEntity, p } from '@mikro-orm/core'
import type { ReservationType } from '../fleet/resources/reservation-types.rules.ts'
import type { Role } from '../platform/authz/roles.ts'
import { documentCategories, enforcements, type OverridingRole } from '../platform/authz/rule-settings.ts'
import { fileColumns, instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import { currencyAudiences, currencyKinds, endReasons } from './currencies/currency.rules.ts'
import { hoursScopes } from './currencies/hours-in-model.rules.ts'
import { medicalClasses, medicalPrivileges } from './currencies/medical.rules.ts'
import { documentStatuses } from './documents/document.rules.ts'

/**
 * A member's permission to fly an aircraft, or every aircraft of a make and model, where the organization requires approval.
 * It is valid for bookings that start before it expires.
 */
export const ResourceApproval = set('resource_approval', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    resourceId: p.integer().nullable(),
    membershipId: member.paper('approvals', { once: ['resourceId', 'make', 'model'] }),
    make: p.text().nullable(),
    model: p.text().nullable(),
    expiresAt: instant().nullable(),
    approvedBy: member.act('work', 'others'),
  },
})

/** A document of a member, or of the organization when `membershipId` is null. Deletion removes the row and the file. */
export const Document = aggregate('document', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    ...fileColumns,
    title: p.text(),
    category: p.enum(documentCategories),
    membershipId: member.paper('documents', 'together', 'unkept').nullable(),
    expiresAt: instant().nullable(),
    /** The roles that see a document of the organization; empty: everyone. */
    roles: p.json<Role[]>(),
    status: p.enum(documentStatuses).default('pending'),
    /** The reviewer's notes, such as why the document is rejected. */
    notes: p.text().nullable(),
    /** Who verified it, and when; null unless it is verified. */
    verifiedBy: member.act('work', 'others').nullable(),
    verifiedAt: instant().nullable(),
    /** When the upload form of the current file was opened. */
    formOpenedAt: instant(),
    /** The last notice sent, in days before the expiry; null before the first. A new expiry clears it. */
    expiryNotifiedDays: p.smallint().nullable(),
    /** Set when its member leaves: the instant until which the organization must by law keep the document. */
    keptUntil: instant().nullable(),
  },
})
export type Document = InferEntity<typeof Document>

/** The personal weather limits of a member. */
export const PilotMinimumsRow = set('pilot_minimums', {
  exported: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('profile', { once: [] }),
    ceilingFeet: p.integer().nullable(),
    visibilityMiles: p.double().columnType('float8').nullable(),
    windKnots: p.integer().nullable(),
    gustKnots: p.integer().nullable(),
    crosswindKnots: p.integer().nullable(),
  },
})

/**
 * A currency that members need. An empty list of roles, types or resources means all. `expiring` has a recorded date,
 * computed from `validCalendarMonths` unless given; `recent_flights` counts signed flights, `hours_in_model` logged hours; the other kinds follow a
 * regulation.
 */
export const Currency = aggregate('currency', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    kind: p.enum(currencyKinds),
    roles: p.json<Role[]>(),
    reservationTypes: p.json<ReservationType[]>(),
    resourceIds: p.json<number[]>(),
    enforcement: p.enum(enforcements).default('warn'),
    liftedWhenSupervised: p.boolean().default(false),
    overridableBy: p.json<readonly OverridingRole[]>(),
    appliesTo: p.enum(currencyAudiences).default('everyone'),
    warnDays: p.integer().default(30),
    validCalendarMonths: p.integer().nullable(),
    flightCount: p.integer().nullable(),
    flightDays: p.integer().nullable(),
    /** Of hours in aircraft: how many tenths of an hour, and in what. */
    deciHours: p.integer().nullable(),
    scopeOfHours: p.enum(hoursScopes).nullable(),
    /** The privilege that a medical is for: 14 CFR 61.23(a). */
    privilege: p.enum(medicalPrivileges).nullable(),
  },
})
export type Currency = InferEntity<typeof Currency>

/** A member's recorded dates of a currency; the latest record replaces an earlier one. */
export const CurrencyRecord = set('currency_record', {
  // Only the member and the admins read why it was ended.
  exported: { without: ['endedBecause', 'endedNote'] },
  kept: { until: 'keptUntil' },
  readByBookingRules: true,
  mayName: ['endedNote'],
  columns: {
    ...tenantRecord,
    currencyId: p.integer(),
    membershipId: member.paper('currencies', 'together', 'unkept'),
    completedAt: instant(),
    /** Null: never expires. */
    expiresAt: instant().nullable(),
    documentId: p.integer().nullable(),
    recordedBy: member.act('work', 'others'),
    /** The member from whom a merge of members moved the record; null for other records. */
    mergedFrom: member.act('currencies', 'none').nullable(),
    /** For a medical: its class. `completedAt` is then the examination; BasicMed also has a course. */
    medicalClass: p.enum(medicalClasses).nullable(),
    courseAt: instant().nullable(),
    /** The local day on which somebody ended it before its recorded end, why, and who did; null: it was not ended. */
    endedOn: p.date().nullable(),
    endedBecause: p.enum(endReasons).nullable(),
    endedNote: p.text().nullable(),
    endedBy: member.act('work', 'others').nullable(),
    /** Set when its member is erased: the instant until which the organization must by law keep the record. */
    keptUntil: instant().nullable(),
  },
})

/**
 * The last notice to a member about the end of a currency. `notifiedFor` is that end, `notifiedDays` the days between the
 * notice and that end.
 */
export const CurrencyNotice = log('currency_end_notice', {
  exported: false,
  columns: {
    ...tenantRecord,
    currencyId: p.integer(),
    membershipId: member.own('notices'),
    /** The `scopeKey` of the aircraft, for a currency that depends on the aircraft; else empty. */
    scope: p.text().default(''),
    notifiedFor: instant(),
    notifiedDays: p.smallint(),
  },
})
