import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { roleColumns } from '../../platform/db/role-columns.ts'

export const billingModes = ['invoice', 'ledger'] as const

/**
 * An account in an organization; its id is the `orgUserId`. A former member's row remains with `removedAt`, so that
 * past bookings show the name. Instruction rates are cents per hour.
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
    /** The member's key as a payer at the payment gateway. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Membership = InferEntity<typeof Membership>

/** One interval of a member's weekly pattern, in minutes after local midnight in the organization's zone. */
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

/** A single absence. It blocks bookings like a booking does. */
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

/** A person without an account who flies or pays. One row per address and organization. */
export const Guest = defineEntity({
  name: 'Guest',
  tableName: 'guest',
  properties: {
    ...tenantRecord,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    /** The guest's key as a payer at the payment gateway. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Guest = InferEntity<typeof Guest>
