import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { roleColumns } from '../../platform/db/role-columns.ts'

export const billingModes = ['invoice', 'ledger'] as const

/**
 * A person in an organization; its id is the `orgUserId`. A member who left keeps the row (`removedAt`),
 * so past bookings keep their names. Instruction rates are cents an hour.
 */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    ...tenantRecord,
    ...roleColumns,
    accountId: p.integer(),
    billingMode: p.enum(billingModes).default('invoice'),
    flightRateCents: p.integer().nullable(),
    groundRateCents: p.integer().nullable(),
    simRateCents: p.integer().nullable(),
    grounded: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    removedAt: instant().nullable(),
    /** What the payment processor knows the member by as a payer. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Membership = InferEntity<typeof Membership>

/** One stretch of a member's standing weekly pattern, in the organization's zone. */
export const Availability = defineEntity({
  name: 'Availability',
  tableName: 'availability',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    /** 1 Monday … 7 Sunday */
    dayOfWeek: p.smallint(),
    startMinute: p.smallint(),
    endMinute: p.smallint(),
  },
})
export type Availability = InferEntity<typeof Availability>

/** A one-off absence; it blocks like a booking. */
export const TimeOff = defineEntity({
  name: 'TimeOff',
  tableName: 'time_off',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    startsAt: instant(),
    endsAt: instant(),
    reason: p.text().nullable(),
  },
})
export type TimeOff = InferEntity<typeof TimeOff>

/** Somebody outside the organization who flies or pays once. One row per email and organization. */
export const Guest = defineEntity({
  name: 'Guest',
  tableName: 'guest',
  properties: {
    ...tenantRecord,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    /** What the payment processor knows the guest by as a payer. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Guest = InferEntity<typeof Guest>
