import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, roleColumns, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'

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
    flightRateCents: p.integer().$type<Cents>().nullable(),
    groundRateCents: p.integer().$type<Cents>().nullable(),
    simRateCents: p.integer().$type<Cents>().nullable(),
    grounded: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    removedAt: instant().nullable(),
    /** The account's name for search; the database maintains it. */
    searchName: p.text().default('').lazy(),
    searchEmail: p.text().default('').lazy(),
    /** The member's key as a payer at the payment gateway. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Membership = InferEntity<typeof Membership>
